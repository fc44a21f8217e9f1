//! The real world.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::World;

/// The file system, standard input and environment of this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl World for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    /// Writes a temporary file beside the file and renames it over it. A link stays a link: its target is replaced. The
    /// permissions stay.
    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let path = if path.exists() { fs::canonicalize(path)? } else { path.to_owned() };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut temporary = tempfile::Builder::new().prefix(".inlay-").tempfile_in(folder)?;
        temporary.write_all(content)?;
        if let Ok(metadata) = fs::metadata(&path) {
            temporary.as_file().set_permissions(metadata.permissions())?;
        }
        temporary.as_file().sync_all()?;
        temporary.persist(&path).map_err(|error| error.error)?;
        Ok(())
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let mut paths =
            fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        Ok(paths)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn standard_input(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}
