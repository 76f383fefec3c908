//! Files by name: formats by extension and by content, full disks, half files, counts.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use trace::{Batch, Census, Damage, Format, Header, Recorded, Tables, adt, convert, create, open, text};

use crate::common::{NAME, name, read};

const TEXT: &str = "T0|fork(T1)|4\nT0|w(V1)|5\nT1|acq(L)|6\nT1|r(V1)|7\nT1|rel(L)|6\n";

fn copy(from: &Path, to: &Path) {
    let mut source = open(from, Damage::Refuse).unwrap();
    let sink = create(to, source.header()).unwrap();
    convert(&mut *source, sink).unwrap();
}

#[test]
fn a_trace_survives_all_formats() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.std"), TEXT).unwrap();
    copy(&path("a.std"), &path("b.adt"));
    copy(&path("b.adt"), &path("c.trace"));
    copy(&path("c.trace"), &path("d.std"));
    assert_eq!(fs::read_to_string(path("d.std")).unwrap(), TEXT);
    let formats: Vec<Format> =
        ["a.std", "b.adt", "c.trace"].iter().map(|name| open(&path(name), Damage::Refuse).unwrap().format()).collect();
    assert_eq!(formats, [Format::Std, Format::Adt(6), Format::Text(5)]);
    // Known by content, whatever the name.
    fs::rename(path("b.adt"), path("b.std")).unwrap();
    assert_eq!(open(&path("b.std"), Damage::Refuse).unwrap().format(), Format::Adt(6));
    let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.std", "b.std", "c.trace", "d.std"], "no draft is left");
}

#[test]
fn a_file_gets_its_name_when_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.adt");
    fs::write(&path, "precious").unwrap();
    let mut sink = create(&path, Header::default()).unwrap();
    sink.write(&Batch::default(), &Tables::default()).unwrap();
    drop(sink);
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "an unfinished draft vanishes");
    create(&path, Header::default()).unwrap().finish(&Tables::default(), None).unwrap();
    assert_eq!(read(&fs::read(&path).unwrap(), Damage::Refuse).whole().batch, Batch::default());
}

#[test]
fn two_drafts_of_one_file_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    let mut source = read_text();
    let one = create(&path, Header::default()).unwrap();
    let other = create(&path, Header::default()).unwrap();
    drop(other);
    convert(&mut *source, one).unwrap();
    assert_eq!(read(&fs::read(&path).unwrap(), Damage::Refuse).events(), 5);
}

fn read_text() -> Box<dyn trace::Source> {
    trace::read(TEXT.as_bytes(), name(), 0, Damage::Refuse).unwrap()
}

#[cfg(unix)]
#[test]
fn devices_stay_and_links_are_followed() {
    let null = Path::new("/dev/null");
    convert(&mut *read_text(), create(null, Header::default()).unwrap()).unwrap();
    assert!(!fs::metadata(null).unwrap().is_file());

    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file.std"), folder.path().join("link.std"));
    fs::write(&file, "").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    convert(&mut *read_text(), create(&link, Header::default()).unwrap()).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), TEXT);
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no/such.adt");
    for error in [open(&missing, Damage::Refuse).err().unwrap(), create(&missing, Header::default()).err().unwrap()] {
        assert!(error.to_string().starts_with(&missing.display().to_string()), "{error}");
    }
    let error = open(folder.path(), Damage::Refuse).err().unwrap();
    assert!(error.to_string().starts_with(&folder.path().display().to_string()), "{error}");
}

/// A disk with room for so many bytes.
struct Disk(usize);

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.min(bytes.len()) {
            0 if !bytes.is_empty() => Err(io::Error::from(io::ErrorKind::StorageFull)),
            fits => {
                self.0 -= fits;
                Ok(fits)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_that_names_the_file() {
    let whole = read(TEXT.as_bytes(), Damage::Refuse).whole();
    let (batch, tables) = (&whole.batch, &whole.tables);
    let binary = |disk: Disk| {
        let mut writer = adt::Writer::new(disk, name(), whole.header)?;
        writer.append(batch, tables)?;
        writer.close(tables, None)
    };
    let text = |disk: Disk| {
        let mut writer = text::Writer::new(disk, name(), whole.header)?;
        writer.append(batch, tables)?;
        writer.close(tables, None)
    };
    let std = |disk: Disk| {
        let mut writer = text::StdWriter::new(disk, name());
        writer.append(batch, tables)?;
        writer.close().map(|(disk, _)| disk)
    };
    let large = 1 << 20;
    for write in [&binary as &dyn Fn(Disk) -> Result<Disk, trace::Error>, &text, &std] {
        let length = large - write(Disk(large)).unwrap().0;
        for room in 0..length {
            let error = write(Disk(room)).err().unwrap().to_string();
            assert!(error.starts_with(&format!("{NAME}: ")), "{error}");
        }
        assert!(write(Disk(length)).is_ok());
    }
}

#[test]
fn a_census_counts_everything() {
    let text = "# autodrome trace 1 values branches\n\
                T0|fork(T1)|4\nT0|w(V1)=1|5\nT1|racq(L)|6\nT1|r(V1)=1|7\nT1|r(V2)|7\nT1|branch|8\nT1|rrel(L)|6\n\
                T1|acq(L)|6\nT1|rel(L)|6\nT1|snd(G)|9\nT0|rcv(G)|9\nT0|begin(m){}|1\nT0|end(m)|1\nT0|join(T1)|1\n\
                @end events=14 duration=2s\n";
    let mut source = trace::read(text.as_bytes(), name(), 0, Damage::Refuse).unwrap();
    let census = Census::of(&mut *source).unwrap();
    assert_eq!((census.format, census.header.branches), (Format::Text(1), Recorded::Yes));
    let events = census.events;
    assert_eq!((events.all, events.reads, events.writes, events.values, events.reach), (14, 2, 1, 2, 1));
    assert_eq!((events.acquires, events.read_acquires, events.releases, events.read_releases), (1, 1, 1, 1));
    assert_eq!((events.sends, events.receives, events.forks, events.joins), (1, 1, 1, 1));
    assert_eq!((events.branches, events.begins, events.ends), (1, 1, 1));
    let names = census.names;
    assert_eq!((names.threads, names.vars, names.locks, names.messages), (2, 2, 1, 1));
    assert_eq!((names.sites, names.methods), (7, 1));
    assert_eq!(census.duration, Some(std::time::Duration::from_secs(2)));
}
