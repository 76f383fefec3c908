import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** An echo server and clients that send from threads of their own, two for each channel. */
public class Main {
    private static final int SIZE = 2000;

    static class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    static class Count extends SimpleChannelInboundHandler<ByteBuf> {
        private final CompletableFuture<Long> done = new CompletableFuture<>();
        private final int wanted;
        private int seen;
        private long sum;

        Count(int wanted) {
            this.wanted = wanted;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            while (message.isReadable()) {
                sum += message.readByte();
                seen++;
            }
            if (seen == wanted) {
                done.complete(sum);
            }
        }
    }

    /** Every second message. */
    private static void write(Channel channel, int first, int messages, int rank) {
        for (int message = first; message < messages; message += 2) {
            byte[] bytes = new byte[SIZE];
            java.util.Arrays.fill(bytes, (byte) (message + rank));
            channel.writeAndFlush(message % 4 < 2 ? Unpooled.wrappedBuffer(bytes)
                    : channel.alloc().directBuffer(SIZE).writeBytes(bytes));
        }
    }

    private static long send(EventLoopGroup group, InetSocketAddress address, int rank) throws Exception {
        int messages = 40;
        Count count = new Count(messages * SIZE);
        Channel channel = new Bootstrap().group(group).channel(NioSocketChannel.class).handler(count).connect(address)
                .sync().channel();
        Thread other = new Thread(() -> write(channel, 1, messages, rank));
        other.start();
        write(channel, 0, messages, rank);
        other.join();
        long sum = count.done.get();
        channel.close().sync();
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        EventLoopGroup servers = new NioEventLoopGroup(2);
        EventLoopGroup clients = new NioEventLoopGroup(2);
        Channel server = new ServerBootstrap().group(servers).channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Echo());
                    }
                }).bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
        InetSocketAddress address = (InetSocketAddress) server.localAddress();
        System.out.println(Crew.work(4, rank -> send(clients, address, rank)));
        server.close().sync();
        clients.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).sync();
        servers.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).sync();
    }
}
