//! The native methods of AutodromeIo, exported by name; and what the operating system says of a descriptor.

use std::ffi::{c_int, c_uint, c_void};
use std::fs::File;
use std::mem::ManuallyDrop;
use std::net::TcpStream;
use std::os::fd::FromRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::{SocketAddr, UnixStream};

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong, jobject};
use runtime::layout::{CELL_BOUND, CELL_IN, CELL_LISTENER, CELL_OUT, CELL_PEER, CELL_PORT};

use super::jni::{Jni, Object};
use super::natives::natives;
use crate::agent::{Agent, lock};
use crate::entry::entry;
use crate::io::{Address, Asked, CellName, Descriptor, Inode, Place};

unsafe extern "C" {
    fn getsockopt(socket: c_int, level: c_int, name: c_int, value: *mut c_void, length: *mut c_uint) -> c_int;
}

/// The options of sockets on Linux, and the types of a socket.
const SOL_SOCKET: c_int = 1;
const SO_TYPE: c_int = 3;
const SO_ACCEPTCONN: c_int = 30;
const SOCK_STREAM: c_int = 1;
const SOCK_DGRAM: c_int = 2;

fn option(socket: c_int, name: c_int) -> Option<c_int> {
    let (mut value, mut length) = (0_i32, size_of::<c_int>() as c_uint);
    // SAFETY: both places are our own, and the length is that of the value.
    let failed = unsafe { getsockopt(socket, SOL_SOCKET, name, (&raw mut value).cast(), &raw mut length) };
    (failed == 0).then_some(value)
}

/// What a descriptor is, by its number. The program may close it meanwhile, or open another of the same number: a call of the
/// operating system then fails or means the other, which nobody asks about any more.
fn describe(number: c_int) -> Descriptor {
    if number < 0 {
        return Descriptor::Undecided;
    }
    // SAFETY: the file is never dropped, so the number stays open; all that is done with it is to ask for its kind.
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(number) });
    let Ok(metadata) = file.metadata() else { return Descriptor::Undecided };
    let inode = Inode { device: metadata.dev(), number: metadata.ino() };
    let kind = metadata.file_type();
    if kind.is_file() {
        Descriptor::File(inode)
    } else if kind.is_fifo() {
        Descriptor::Pipe(inode)
    } else if kind.is_socket() {
        socket(number)
    } else {
        Descriptor::Nothing
    }
}

fn socket(number: c_int) -> Descriptor {
    let Some((local, remote)) = addresses(number) else { return Descriptor::Nothing };
    match (option(number, SO_TYPE), local, remote) {
        (Some(SOCK_STREAM), local, Some(remote)) => Descriptor::stream(local, remote),
        (Some(SOCK_STREAM), local, None) if option(number, SO_ACCEPTCONN) == Some(1) => Descriptor::Listening(local),
        (Some(SOCK_DGRAM), Address::Inet(_, port), remote) if port != 0 => {
            let peer = remote.and_then(|remote| if let Address::Inet(_, port) = remote { Some(port) } else { None });
            Descriptor::Datagram { port, peer }
        }
        (Some(SOCK_STREAM | SOCK_DGRAM), ..) => Descriptor::Undecided,
        _ => Descriptor::Nothing,
    }
}

/// A socket's own address, and that of its peer if it has one.
fn addresses(number: c_int) -> Option<(Address, Option<Address>)> {
    // SAFETY: neither is ever dropped, so the number stays open; all that is done with it is to ask for addresses.
    let inet = ManuallyDrop::new(unsafe { TcpStream::from_raw_fd(number) });
    if let Ok(local) = inet.local_addr() {
        return Some((Address::of(local), inet.peer_addr().ok().map(Address::of)));
    }
    // SAFETY: as above.
    let local = ManuallyDrop::new(unsafe { UnixStream::from_raw_fd(number) });
    let path = |address: SocketAddr| {
        let path = address.as_pathname().map(|path| path.as_os_str().as_encoded_bytes().to_vec());
        Address::Path(path.unwrap_or_default())
    };
    Some((path(local.local_addr().ok()?), local.peer_addr().ok().map(path)))
}

/// What the shim asks for (AutodromeIo.java).
fn asked(which: jint, number: jint, path: Option<String>) -> Option<Asked> {
    let port = u16::try_from(number);
    Some(match which {
        CELL_OUT => Asked::Out(describe(number)),
        CELL_IN => Asked::In(describe(number)),
        CELL_LISTENER => Asked::Listener(describe(number)),
        CELL_BOUND => Asked::Bound(addresses(number)?.0),
        CELL_PEER => Asked::Peer(describe(number)),
        CELL_PORT => Asked::Port(port.ok()?),
        _ => Asked::Connect(match path {
            Some(path) => Place::Path(path.into_bytes()),
            None => Place::Port(port.ok()?),
        }),
    })
}

natives! {
    fn Java_java_lang_AutodromeIo_kind(_env, descriptor: jint) -> jint {
        entry(Descriptor::Nothing.number(), || describe(descriptor).number())
    }

    fn Java_java_lang_AutodromeIo_cell(env, which: jint, number: jint, path: jobject) -> jlong {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        let found = entry(None, || {
            let path = Object::new(path).and_then(|path| jni?.text(path));
            let asked = asked(which, number, path)?;
            lock(&Agent::get()?.io).find(asked)
        });
        found.map_or(0, |name| name.0)
    }

    fn Java_java_lang_AutodromeIo_close(_env, name: jlong) {
        entry((), || {
            if let Some(agent) = Agent::get() {
                lock(&agent.io).close(CellName(name));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, UdpSocket};
    use std::os::fd::AsRawFd;

    #[test]
    fn the_two_ends_of_a_connection_have_each_others_addresses() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let server = listener.accept().unwrap().0;
        let ends = [&client, &server].map(|end| describe(end.as_raw_fd()));
        let [Descriptor::Stream { local, remote }, Descriptor::Stream { local: other, remote: back }] = ends else {
            panic!("{ends:?}");
        };
        assert_eq!((local, remote), (back, other.clone()));
        assert_eq!(describe(listener.as_raw_fd()), Descriptor::Listening(other));
    }

    #[test]
    fn other_descriptors_are_told_apart() {
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        let port = udp.local_addr().unwrap().port();
        assert_eq!(describe(udp.as_raw_fd()), Descriptor::Datagram { port, peer: None });
        let (one, _other) = UnixStream::pair().unwrap();
        let unnamed = || Address::Path(Vec::new());
        assert_eq!(describe(one.as_raw_fd()), Descriptor::Stream { local: unnamed(), remote: unnamed() });
        let (reader, writer) = std::io::pipe().unwrap();
        assert_eq!(describe(reader.as_raw_fd()), describe(writer.as_raw_fd()));
        assert!(matches!(describe(reader.as_raw_fd()), Descriptor::Pipe(_)));
        let file = File::open(std::env::current_exe().unwrap()).unwrap();
        assert!(matches!(describe(file.as_raw_fd()), Descriptor::File(_)));
        assert_eq!(describe(File::open("/dev/null").unwrap().as_raw_fd()), Descriptor::Nothing);
        assert_eq!(describe(-1), Descriptor::Undecided);
    }
}
