//! Which descriptors of this JVM are two ends of one thing, for I/O as order (shim, AutodromeIo.java): a table of cells, one for
//! each direction of a connection, each pipe, each file, and for what happens before there is a connection.
//!
//! A connection is known by its two addresses, which both ends see. Those of a Unix domain socket often have one that is
//! empty: all connections of clients without a name to one path share their cells, which hides races at most. The same
//! goes for datagrams, known by the port that they are sent to, and for what connects to one port.
//!
//! The table does not grow without bound. A cell is kept as long as a descriptor uses it. After that, data may still be on
//! its way, or a file be read again: of such cells the last [`WITHOUT_END`] are kept. A hand-over through an older one is missed,
//! and may be reported.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, SocketAddr};

use runtime::layout::{IO_DATAGRAM, IO_FILE, IO_LISTENING, IO_NOTHING, IO_PIPE, IO_STREAM, IO_UNDECIDED};

/// So many cells are kept that no descriptor uses any more.
const WITHOUT_END: usize = 1024;

/// The largest owner of a number: names are positive.
const OWNERS: u32 = i32::MAX as u32;

/// What a connection has at one end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Address {
    Inet(IpAddr, u16),
    /// Of a Unix domain; empty if it has no name.
    Path(Vec<u8>),
}

impl Address {
    /// An address as both ends see it.
    pub(crate) fn of(address: SocketAddr) -> Address {
        Address::Inet(address.ip().to_canonical(), address.port())
    }

    /// What a socket that listens at this address is known by to those who connect: it may listen at all addresses.
    fn place(&self) -> Place {
        match self {
            Address::Inet(_, port) => Place::Port(*port),
            Address::Path(path) => Place::Path(path.clone()),
        }
    }
}

/// Where a socket listens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    Port(u16),
    Path(Vec<u8>),
}

/// What a descriptor is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Descriptor {
    /// A socket that is not connected and does not listen, or not yet.
    Undecided,
    /// Nothing that hands data to a thread of this JVM.
    Nothing,
    /// One end of a connection.
    Stream {
        local: Address,
        remote: Address,
    },
    /// It accepts connections.
    Listening(Address),
    /// It receives what is sent to its port, and sends to that of its peer, if it is connected.
    Datagram {
        port: u16,
        peer: Option<u16>,
    },
    File(Inode),
    Pipe(Inode),
}

/// What a file is known by, whatever it is opened as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Inode {
    pub(crate) device: u64,
    pub(crate) number: u64,
}

impl Descriptor {
    /// One end of a connection; that to another machine is none of ours.
    pub(crate) fn stream(local: Address, remote: Address) -> Descriptor {
        let is_here = match (&local, &remote) {
            (Address::Inet(one, _), Address::Inet(other, _)) => {
                one == other || one.is_loopback() && other.is_loopback()
            }
            _ => true,
        };
        if is_here { Descriptor::Stream { local, remote } } else { Descriptor::Nothing }
    }

    /// The shim's number for it.
    pub(crate) fn number(&self) -> i32 {
        match self {
            Descriptor::Undecided => IO_UNDECIDED,
            Descriptor::Nothing => IO_NOTHING,
            Descriptor::Stream { .. } => IO_STREAM,
            Descriptor::Listening(_) => IO_LISTENING,
            Descriptor::Datagram { .. } => IO_DATAGRAM,
            Descriptor::File(_) => IO_FILE,
            Descriptor::Pipe(_) => IO_PIPE,
        }
    }

    /// Where it writes to.
    fn out(self) -> Option<Key> {
        match self {
            Descriptor::Stream { local, remote } => Some(Key::Stream { from: local, to: remote }),
            Descriptor::File(inode) | Descriptor::Pipe(inode) => Some(Key::File(inode)),
            Descriptor::Listening(address) => Some(Key::Listener(address.place())),
            Descriptor::Datagram { .. } | Descriptor::Undecided | Descriptor::Nothing => None,
        }
    }

    /// Where it reads from.
    fn input(self) -> Option<Key> {
        match self {
            Descriptor::Stream { local, remote } => Some(Key::Stream { from: remote, to: local }),
            Descriptor::File(inode) | Descriptor::Pipe(inode) => Some(Key::File(inode)),
            Descriptor::Listening(address) => Some(Key::Connect(address.place())),
            Descriptor::Datagram { port, .. } => Some(Key::Datagram(port)),
            Descriptor::Undecided | Descriptor::Nothing => None,
        }
    }
}

/// What a cell is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Stream {
        from: Address,
        to: Address,
    },
    File(Inode),
    Datagram(u16),
    /// From whoever connects to whoever accepts.
    Connect(Place),
    /// From whoever begins to listen to whoever is then connected.
    Listener(Place),
}

/// Which cell is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// For an end: where it writes to, until it is closed.
    Out(Descriptor),
    /// For an end: where it reads from, until it is closed.
    In(Descriptor),
    /// From the listener to this end, which was connected.
    Listener(Descriptor),
    /// From this socket, which was bound, to those who connect to it.
    Bound(Address),
    /// To the peer of this end.
    Peer(Descriptor),
    /// To whoever receives datagrams at this port.
    Port(u16),
    /// To whoever accepts connections here.
    Connect(Place),
}

/// A cell: its number, counted from 1, and above which of the number's owners is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellName(pub(crate) i64);

#[derive(Debug)]
struct Row {
    key: Key,
    owner: u32,
    /// The ends that use it.
    ends: u32,
    is_written: bool,
    is_read: bool,
    /// When it was left without ends, as [`Cells::left`] counts; 0 if it has some.
    left: u64,
}

/// The cells.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    numbers: HashMap<Key, u32>,
    rows: Vec<Row>,
    free: Vec<u32>,
    /// Cells without ends, by number and when they were left.
    without_end: VecDeque<(u32, u64)>,
    left: u64,
}

impl Cells {
    /// The cell that is asked for.
    pub(crate) fn find(&mut self, asked: Asked) -> Option<CellName> {
        match asked {
            Asked::Out(descriptor) => {
                let number = self.number(descriptor.out()?);
                self.take(number, |row| row.is_written = true)
            }
            Asked::In(descriptor) => {
                let number = self.number(descriptor.input()?);
                self.take(number, |row| row.is_read = true)
            }
            Asked::Listener(Descriptor::Stream { remote, .. }) => {
                self.numbers.get(&Key::Listener(remote.place())).copied().and_then(|number| self.name(number))
            }
            Asked::Bound(address) => self.pass(Key::Listener(address.place())),
            Asked::Peer(Descriptor::Datagram { peer: Some(peer), .. }) => self.pass(Key::Datagram(peer)),
            Asked::Port(port) => self.pass(Key::Datagram(port)),
            Asked::Connect(place) => self.pass(Key::Connect(place)),
            Asked::Listener(_) | Asked::Peer(_) => None,
        }
    }

    /// An end that used the cell is closed.
    pub(crate) fn close(&mut self, name: CellName) {
        let (number, owner) = ((name.0 as u32).wrapping_sub(1), (name.0 >> 32) as u32);
        let Some(row) = self.row(number).filter(|row| row.owner == owner && row.ends > 0) else { return };
        row.ends -= 1;
        if row.ends > 0 {
            return;
        }
        // The only reader is gone, or there was never anything to read.
        let is_done = match row.key {
            Key::Stream { to: Address::Inet(..), .. } => row.is_read,
            _ => false,
        };
        if is_done || !row.is_written {
            self.free(number);
        } else {
            self.leave(number);
        }
    }

    /// The number of the cell with this key, which may be new.
    fn number(&mut self, key: Key) -> u32 {
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let row = Row { key: key.clone(), owner: 0, ends: 0, is_written: false, is_read: false, left: 0 };
        let number = match self.free.pop() {
            Some(number) => {
                if let Some(old) = self.row(number) {
                    *old = Row { owner: old.owner, ..row };
                }
                number
            }
            None => {
                self.rows.push(row);
                (self.rows.len() - 1) as u32
            }
        };
        self.numbers.insert(key, number);
        number
    }

    /// An end uses the cell.
    fn take(&mut self, number: u32, note: impl FnOnce(&mut Row)) -> Option<CellName> {
        let row = self.row(number)?;
        row.ends += 1;
        row.left = 0;
        note(row);
        self.name(number)
    }

    /// Something is passed on by one who has no end of its own.
    fn pass(&mut self, key: Key) -> Option<CellName> {
        let number = self.number(key);
        let row = self.row(number)?;
        row.is_written = true;
        // Whoever passes on a lot must not push others out: its cell stays where it is in the queue.
        if row.ends == 0 && row.left == 0 {
            self.leave(number);
        }
        self.name(number)
    }

    /// The cell has no ends, and may yet be read.
    fn leave(&mut self, number: u32) {
        self.left += 1;
        let left = self.left;
        let Some(row) = self.row(number) else { return };
        row.left = left;
        self.without_end.push_back((number, left));
        while self.without_end.len() > WITHOUT_END {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        let Some((number, left)) = self.without_end.pop_front() else { return };
        if self.row(number).is_some_and(|row| row.ends == 0 && row.left == left) {
            self.free(number);
        }
    }

    fn free(&mut self, number: u32) {
        let Some(row) = self.row(number) else { return };
        row.owner = row.owner.wrapping_add(1) & OWNERS;
        let key = row.key.clone();
        self.numbers.remove(&key);
        self.free.push(number);
    }

    fn row(&mut self, number: u32) -> Option<&mut Row> {
        self.rows.get_mut(number as usize)
    }

    fn name(&self, number: u32) -> Option<CellName> {
        let row = self.rows.get(number as usize)?;
        Some(CellName(i64::from(row.owner) << 32 | (i64::from(number) + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(port: u16) -> Address {
        Address::of(SocketAddr::from(([127, 0, 0, 1], port)))
    }

    fn end(local: u16, remote: u16) -> Descriptor {
        Descriptor::stream(address(local), address(remote))
    }

    fn file(number: u64) -> Descriptor {
        Descriptor::File(Inode { device: 1, number })
    }

    #[test]
    fn each_direction_of_a_connection_is_one_cell_of_both_ends() {
        let mut cells = Cells::default();
        let there = cells.find(Asked::Out(end(1, 2)));
        let back = cells.find(Asked::In(end(1, 2)));
        assert!(there.is_some() && back.is_some() && there != back);
        assert_eq!(cells.find(Asked::In(end(2, 1))), there);
        assert_eq!(cells.find(Asked::Out(end(2, 1))), back);
        assert_ne!(cells.find(Asked::Out(end(3, 2))), there, "another client");
    }

    #[test]
    fn an_address_may_be_that_of_another_machine_or_mapped() {
        let far = Address::of(SocketAddr::from(([10, 0, 0, 7], 80)));
        assert_eq!(Descriptor::stream(address(1), far), Descriptor::Nothing);
        let mapped = Address::of("[::ffff:127.0.0.1]:5".parse().unwrap());
        assert_eq!(mapped, address(5));
    }

    #[test]
    fn a_cell_outlives_its_writer_until_its_reader_is_gone() {
        let mut cells = Cells::default();
        let sent = cells.find(Asked::Out(end(1, 2))).unwrap();
        cells.close(sent);
        assert_eq!(cells.find(Asked::In(end(2, 1))), Some(sent));
        cells.close(sent);
        assert_ne!(cells.find(Asked::In(end(2, 1))), Some(sent), "the same ports, another connection");
        cells.close(sent);
        assert!(cells.numbers.len() == 1, "a name of old closes nothing");
    }

    #[test]
    fn files_that_are_only_read_leave_nothing_behind() {
        let mut cells = Cells::default();
        for number in 0..10 {
            let name = cells.find(Asked::In(file(number))).unwrap();
            cells.close(name);
        }
        assert_eq!((cells.rows.len(), cells.numbers.len(), cells.without_end.len()), (1, 0, 0));
    }

    #[test]
    fn the_table_is_bounded() {
        let mut cells = Cells::default();
        let first = cells.find(Asked::Out(file(0))).unwrap();
        cells.close(first);
        assert_eq!(cells.find(Asked::In(file(0))), Some(first), "it is read after the writer has closed it");
        let written: Vec<_> = (1..5_000).map(|number| cells.find(Asked::Out(file(number))).unwrap()).collect();
        written.into_iter().for_each(|name| cells.close(name));
        assert_eq!(cells.numbers.len(), WITHOUT_END + 1);
        assert_eq!(cells.find(Asked::Out(file(0))), Some(first), "a cell with an end stays");
        for _ in 0..5_000 {
            cells.find(Asked::Port(53));
        }
        assert!(cells.find(Asked::In(file(4_900))).is_some() && cells.without_end.len() <= WITHOUT_END);
        assert_eq!(cells.rows.len(), 5_000, "all of them were open at once");
    }

    #[test]
    fn who_connects_and_who_listens_meet_at_the_port() {
        let mut cells = Cells::default();
        let any = Address::of(SocketAddr::from(([0, 0, 0, 0], 80)));
        let bound = cells.find(Asked::Bound(any.clone()));
        assert_eq!(cells.find(Asked::Listener(end(5, 80))), bound);
        assert_eq!(cells.find(Asked::Listener(end(5, 81))), None);
        let start = cells.find(Asked::Connect(Place::Port(80)));
        assert_eq!(cells.find(Asked::In(Descriptor::Listening(any))), start);
        let sent = cells.find(Asked::Port(9));
        assert_eq!(cells.find(Asked::In(Descriptor::Datagram { port: 9, peer: None })), sent);
        assert_eq!(cells.find(Asked::Peer(Descriptor::Datagram { port: 7, peer: Some(9) })), sent);
    }
}
