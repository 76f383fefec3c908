import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/** Coroutines on many threads: channels, flows, a mutex, lazy values, things that are handed from one to another. */
class Message(var number: Int) {
    val words = IntArray(16)
}

val once: List<Int> by lazy { (1..10).toList() }

class Counter {
    var value = 0
}

fun main() = runBlocking(Dispatchers.Default) {
    val channel = Channel<Message>(8)
    val mutex = Mutex()
    val counter = Counter()
    val producers = (0 until 4).map { rank ->
        launch {
            for (number in 0 until 200) {
                val message = Message(number)
                message.words[number % 16] = rank
                channel.send(message)
                if (number % 50 == 0) delay(1)
            }
        }
    }
    val consumers = (0 until 3).map {
        async {
            var sum = 0L
            for (message in channel) {
                sum += message.number + message.words[message.number % 16] + once.size
                mutex.withLock { counter.value++ }
            }
            sum
        }
    }
    producers.forEach { it.join() }
    channel.close()
    println(consumers.awaitAll().sum())
    println(mutex.withLock { counter.value })
    val squares = flow { for (number in 0 until 100) emit(Message(number)) }.flowOn(Dispatchers.IO)
    println(squares.toList().sumOf { it.number * it.number })
    println((1..8).map { n -> async { sequence { var a = 0; while (true) yield(a++) }.take(n * 100).sum() } }.awaitAll())
}
