import Foundation
import TestSupport
import Testing

/// A run of `prefs doctor`, with `DIR` for the path of the test's folder.
private struct Diagnosis {
    let status: Int32
    let lines: [String]
    let errors: String

    init(_ run: Prefs, in folder: Folder) {
        status = run.status
        lines = run.output.replacing(folder.url.path, with: "DIR").split(separator: "\n").map(String.init)
        errors = run.errors.replacing(folder.url.path, with: "DIR")
    }
}

extension Folder {
    fileprivate func doctor(_ arguments: String...) async throws -> Diagnosis {
        Diagnosis(try await Prefs(["doctor"] + arguments, in: url), in: self)
    }

    /// Runs a script whose output is that of the doctor.
    fileprivate func doctor(shell script: String) async throws -> Diagnosis {
        Diagnosis(try await run(shell: script), in: self)
    }

    /// Writes a schema, and a file, a database and user defaults with a value each.
    fileprivate func makeStores() async throws {
        try write(
            """
            { "formatVersion": 1, "namespaces": { "weather": { "keys": {
              "unit": { "type": "String", "default": "celsius" }, "days": { "type": "Int", "default": 3 }
            } } } }
            """,
            to: "Weather.preferences.json"
        )
        let script = """
            export XDG_CONFIG_HOME=$PWD/config
            for store in a.json sqlite:a.sqlite defaults:weather.test; do
              prefs set --schema Weather.preferences.json -s $store weather.unit kelvin
            done
            # A program that ends does not always merge the log.
            sqlite3 a.sqlite 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
            """
        let made = try await run(shell: script)
        try #require(made.status == 0 && made.errors == "")
    }

    fileprivate func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.appending(path: path).path)
    }

    fileprivate func mode(of path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.appending(path: path).path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    fileprivate func size(of path: String) throws -> Int { try Data(contentsOf: url.appending(path: path)).count }
}

@Suite("prefs doctor")
struct DoctorTests {
    @Test("A healthy store of each kind has no problems, and no store is created")
    func healthy() async throws {
        try await withFolder { folder in
            try await folder.makeStores()
            let names = try folder.names()
            let script = """
                export XDG_CONFIG_HOME=$PWD/config DOCTOR_DAYS=4
                prefs doctor -s a.json -s sqlite:a.sqlite -s defaults:weather.test -s env:DOCTOR_ -s gsettings:keyfile \
                  -s kconfig:weatherrc -s new/b.json -s sqlite:new/b.sqlite
                """
            let found = try await folder.doctor(shell: script)
            let version = try #require(found.lines.count > 1 ? found.lines[1].firstMatch(of: /SQLite [\d.]+/)?.0 : nil)
            #expect(
                found.lines == [
                    "DIR/a.json: no problems",
                    "DIR/a.sqlite: no problems (\(version))",
                    "user defaults 'weather.test': no problems (DIR/config/weather.test.plist)",
                    "environment 'DOCTOR_': no problems (1 variable)",
                    "DIR/keyfile: no problems (it does not exist yet)",
                    "DIR/weatherrc: no problems (it does not exist yet)",
                    "DIR/new/b.json: no problems (it does not exist yet)",
                    "DIR/new/b.sqlite: no problems (it does not exist yet, \(version))",
                    "8 stores: no problems",
                ]
            )
            #expect(found.status == 0)
            #expect(found.errors == "")
            // SQLite creates its empty log whenever a database is read.
            #expect(try folder.names() == (names + ["a.sqlite-shm", "a.sqlite-wal"]).sorted())
            #expect(try folder.size(of: "a.sqlite-wal") == 0)
        }
    }

    @Test("Damaged contents are reported with their position, and left as they are")
    func damaged() async throws {
        try await withFolder { folder in
            try folder.write("{\n  \"a\" 1\n}", to: "a.json")
            try folder.write("", to: "b c.json")
            try folder.write("garbage", to: "d.sqlite")
            try folder.write(#"{"when": {"$date": "noon"}}"#, to: "e.json")
            let found = try await folder.doctor(
                "-s",
                "a.json",
                "-s",
                "b c.json",
                "-s",
                "sqlite:d.sqlite",
                "-s",
                "e.json"
            )
            #expect(
                found.lines == [
                    "DIR/a.json: problem: line 2, column 7: expected ':', found other text; repair it in an editor, or begin "
                        + "anew by 'mv DIR/a.json DIR/a.json.broken'",
                    "DIR/b c.json: problem: line 1, column 1: the file is empty; expected a JSON object; repair it in an "
                        + "editor, or begin anew by 'mv 'DIR/b c.json' 'DIR/b c.json.broken''",
                    "DIR/d.sqlite: problem: the database is damaged: file is not a database; it is left unchanged until the "
                        + "next write, which sets it aside; recover more of it by 'sqlite3 DIR/d.sqlite .recover'",
                    "DIR/e.json: problem: the value of 'when' cannot be read: line 1: a string is not valid content for "
                        + "\"$date\"; set another value, or reset it",
                    "4 stores: 4 problems",
                ]
            )
            #expect(found.status == 1)
            #expect(try folder.names() == ["a.json", "b c.json", "d.sqlite", "e.json"])
        }
    }

    @Test(
        "Anything but a file in the place of a file is reported",
        arguments: [
            (
                "mkdir a.json", "a.json",
                "DIR/a.json: problem: is a directory, not a file; move it away, or give the store another path"
            ),
            (
                "mkfifo a.json", "a.json",
                "DIR/a.json: problem: is a device, a pipe or a socket, not a file; move it away, or give the store another path"
            ),
            (
                "touch folder", "folder/a.json",
                "DIR/folder/a.json: problem: cannot be created: DIR/folder is not a directory; move it away, or give the store "
                    + "another path"
            ),
            (
                "truncate -s 2G a.json", "a.json",
                "DIR/a.json: problem: is too large: it has 2147483648 bytes, and a store reads at most 1073741824; move it "
                    + "away, or give the store another path"
            ),
            (
                "ln -s gone.json a.json", "a.json",
                "DIR/a.json: problem: is a link to gone.json, which does not exist; restore that file, or remove the link by "
                    + "'rm DIR/a.json'; the next write creates the file"
            ),
            (
                "sqlite3 a.json 'CREATE TABLE a(b)'", "a.json",
                "DIR/a.json: problem: this is a SQLite database, and is left as it is: give the store another file"
            ),
            (
                "echo '{}' >a.sqlite", "sqlite:a.sqlite",
                "DIR/a.sqlite: problem: this is a file of JSON or a property list, as a FileStore has, and no database; it was "
                    + "left unchanged, give the store another file"
            ),
        ]
    )
    func otherFiles(preparation: String, store: String, line: String) async throws {
        try await withFolder { folder in
            let found = try await folder.doctor(shell: "\(preparation); prefs doctor -s \(store)")
            #expect(found.lines == [line, "1 store: 1 problem"])
            #expect(found.status == 1)
        }
    }

    @Test("Files that were set aside are listed with their times and sizes")
    func setAside() async throws {
        try await withFolder { folder in
            try folder.write("{}", to: "a.json")
            try folder.write("bad", to: "a.json.corrupt-20261121T190748Z")
            try folder.write("{}\n", to: "a.json.replaced-20261122T080000Z-2")
            try folder.write("other", to: "a.json.corrupt-yesterday")
            let found = try await folder.doctor("-s", "a.json")
            #expect(
                found.lines == [
                    "DIR/a.json.corrupt-20261121T190748Z: problem: is a damaged file that was set aside at "
                        + "2026-11-21 19:07:48 UTC (3 bytes); compare it by 'diff DIR/a.json "
                        + "DIR/a.json.corrupt-20261121T190748Z'; then remove it by 'rm "
                        + "DIR/a.json.corrupt-20261121T190748Z', or put it back by 'mv "
                        + "DIR/a.json.corrupt-20261121T190748Z DIR/a.json'",
                    "DIR/a.json.replaced-20261122T080000Z-2: problem: was saved by another program while the file was "
                        + "written, at 2026-11-22 08:00:00 UTC (3 bytes); compare it by 'diff DIR/a.json "
                        + "DIR/a.json.replaced-20261122T080000Z-2'; then remove it by 'rm "
                        + "DIR/a.json.replaced-20261122T080000Z-2', or put it back by 'mv "
                        + "DIR/a.json.replaced-20261122T080000Z-2 DIR/a.json'",
                    "1 store: 2 problems",
                ]
            )
            #expect(found.status == 1)
        }
    }

    @Test("A database that a store has set aside is one finding, with its log")
    func setAsideDatabase() async throws {
        try await withFolder { folder in
            try await folder.makeStores()
            try folder.write("bad", to: "a.sqlite.corrupt-20261121T190748Z")
            try folder.write("log", to: "a.sqlite.corrupt-20261121T190748Z-wal")
            let found = try await folder.doctor("-s", "sqlite:a.sqlite")
            #expect(
                found.lines == [
                    "DIR/a.sqlite.corrupt-20261121T190748Z: problem: is a damaged file that was set aside at "
                        + "2026-11-21 19:07:48 UTC (6 bytes); read it with 'sqlite3'; then remove it by 'rm "
                        + "DIR/a.sqlite.corrupt-20261121T190748Z DIR/a.sqlite.corrupt-20261121T190748Z-wal'",
                    "1 store: 1 problem",
                ]
            )
        }
    }

    // MARK: - Locks and temporary files

    @Test(
        "The process that holds the lock is named, and whether it is stopped",
        arguments: [
            (
                "",
                " has held this lock for more than a second, and no other program can write; wait for its end, or end it "
                    + "by 'kill PID'; writes fail after 10 s"
            ),
            (
                "kill -STOP $!",
                ", which is stopped, has held this lock for more than a second, and no other program can "
                    + "write; continue it by 'kill -CONT PID', or end it by 'kill -KILL PID'"
            ),
        ]
    )
    func lock(action: String, text: String) async throws {
        try await withFolder { folder in
            let script = """
                echo '{}' >a.json
                flock --no-fork .a.json.lock sleep 600 & echo $! >pid
                while flock --nonblock .a.json.lock true; do :; done
                \(action)
                prefs doctor -s a.json
                status=$?
                kill -KILL $!
                exit $status
                """
            let found = try await folder.doctor(shell: script)
            let process = try folder.read("pid").trimmingCharacters(in: .whitespacesAndNewlines)
            let message = text.replacing("PID", with: process)
            #expect(
                found.lines == [
                    "DIR/.a.json.lock: problem: process \(process) (sleep)\(message)", "1 store: 1 problem",
                ]
            )
            #expect(found.status == 1)
        }
    }

    @Test("A file in the place of the lock is reported")
    func notALock() async throws {
        try await withFolder { folder in
            try folder.write("{}", to: "a.json")
            try folder.write("text", to: ".a.json.lock")
            let found = try await folder.doctor("-s", "a.json")
            #expect(
                found.lines == [
                    "DIR/.a.json.lock: problem: cannot lock DIR/.a.json.lock: File exists; it is not the lock of this file, as "
                        + "it has contents, a second name or another owner: move it away",
                    "1 store: 1 problem",
                ]
            )
        }
    }

    @Test("The temporary file of a process that was killed while it wrote is reported, and removed by '--fix'")
    func temporaryFile() async throws {
        try await withFolder { folder in
            try await folder.makeStores()
            // The process is killed again until it has left a file: it may be faster than the loop.
            let script = """
                head -c 2000000 /dev/zero | tr '\\0' x >text
                for attempt in $(seq 100); do
                  prefs set --schema Weather.preferences.json -s a.json weather.unit "$(head -c 100000 text)$attempt" &
                  until compgen -G '.a.json.tmp-*' >/dev/null || ! kill -0 $! 2>/dev/null; do :; done
                  kill -KILL $!
                  wait $!
                  if compgen -G '.a.json.tmp-*' >name; then break; fi
                done 2>/dev/null
                touch .a.json.tmp-short .other.json.tmp-0123456789abc
                prefs doctor -s a.json
                """
            let found = try await folder.doctor(shell: script)
            let name = try folder.read("name").trimmingCharacters(in: .whitespacesAndNewlines)
            let size = try folder.size(of: name)
            #expect(
                found.lines == [
                    "DIR/\(name): problem: is a temporary file that a killed process has left (\(size) bytes); run 'rm "
                        + "DIR/\(name)', or this command with '--fix'",
                    "1 store: 1 problem; '--fix' fixes 1",
                ]
            )
            #expect(found.status == 1)

            let fixed = try await folder.doctor("--fix", "-s", "a.json")
            #expect(
                fixed.lines == [
                    "DIR/\(name): fixed: was removed: a killed process had left it (\(size) bytes)",
                    "1 store: no problems, 1 fixed",
                ]
            )
            #expect(fixed.status == 0)
            #expect(!folder.exists(name))
            #expect(folder.exists(".a.json.tmp-short") && folder.exists(".other.json.tmp-0123456789abc"))
        }
    }

    @Test("A temporary file is not stale while a process holds the lock")
    func temporaryFileInUse() async throws {
        try await withFolder { folder in
            let script = """
                echo '{}' >a.json
                touch .a.json.tmp-0123456789abc
                flock --no-fork .a.json.lock sleep 600 &
                while flock --nonblock .a.json.lock true; do :; done
                prefs doctor --fix -s a.json | tail -n 1
                kill -KILL $!
                """
            let found = try await folder.doctor(shell: script)
            #expect(found.lines == ["1 store: 1 problem"])
            #expect(folder.exists(".a.json.tmp-0123456789abc"))
        }
    }

    // MARK: - Permissions

    @Test("A file that any user can change is reported, and its permissions are narrowed by '--fix'")
    func writableByOthers() async throws {
        try await withFolder { folder in
            try folder.write("{}", to: "a.json")
            try folder.setMode(0o666, of: "a.json")
            let found = try await folder.doctor("-s", "a.json")
            #expect(
                found.lines == [
                    "DIR/a.json: problem: any user can change it: its permissions are 0666; run 'chmod o-w DIR/a.json'",
                    "1 store: 1 problem; '--fix' fixes 1",
                ]
            )
            #expect(try folder.mode(of: "a.json") == 0o666)
            let fixed = try await folder.doctor("--fix", "-s", "a.json")
            #expect(
                fixed.lines == [
                    "DIR/a.json: fixed: its permissions are now 0664, and were 0666", "1 store: no problems, 1 fixed",
                ]
            )
            #expect(try folder.mode(of: "a.json") == 0o664)
        }
    }

    @Test("Secrets that other users can read are reported, and narrowed only by '--fix'", arguments: ["", "sqlite:"])
    func secrets(scheme: String) async throws {
        try await withFolder { folder in
            try await folder.makeStores()
            let name = scheme.isEmpty ? "a.json" : "a.sqlite"
            try folder.setMode(0o640, of: name)
            let arguments = ["--secrets", "\(scheme)\(name)", "-s", "b.json", "--schema", "Weather.preferences.json"]
            let found = Diagnosis(try await Prefs(["doctor"] + arguments, in: folder.url), in: folder)
            #expect(
                found.lines == [
                    "DIR/b.json: no problems (it does not exist yet)",
                    "DIR/\(name): problem: other users have access to the secrets in it: its permissions are 0640; run "
                        + "'chmod go= DIR/\(name)', and replace secrets that they may have read",
                    "2 stores: 1 problem; '--fix' fixes 1",
                ]
            )
            #expect(try folder.mode(of: name) == 0o640)
            // SQLite has given its log, which it creates when the database is read, the same permissions.
            for ending in ["-wal", "-shm"] where folder.exists(name + ending) {
                try FileManager.default.removeItem(at: folder.url.appending(path: name + ending))
            }
            let fixed = Diagnosis(try await Prefs(["doctor", "--fix"] + arguments, in: folder.url), in: folder)
            #expect(
                fixed.lines == [
                    "DIR/b.json: no problems (it does not exist yet)",
                    "DIR/\(name): fixed: its permissions are now 0600, and were 0640; replace secrets that they may have read",
                    "2 stores: no problems, 1 fixed",
                ]
            )
            #expect(try folder.mode(of: name) == 0o600)
        }
    }

    @Test("A database of secrets is examined with its log, and nothing of it is shown")
    func secretDatabase() async throws {
        try await withFolder { folder in
            try await folder.makeStores()
            let script = """
                sqlite3 a.sqlite "INSERT INTO preferences VALUES ('canary', 'int', 'canary')"
                touch a.sqlite-wal
                chmod 600 a.sqlite
                chmod 644 a.sqlite-wal
                prefs doctor --secrets sqlite:a.sqlite
                """
            let found = try await folder.doctor(shell: script)
            #expect(
                found.lines == [
                    "DIR/a.sqlite: problem: a value cannot be read: its value in the database is not of the type \"int\"; set "
                        + "another value, or reset it",
                    "DIR/a.sqlite-wal: problem: other users have access to the secrets in it: its permissions are 0644; run "
                        + "'chmod go= DIR/a.sqlite-wal', and replace secrets that they may have read",
                    "1 store: 2 problems; '--fix' fixes 1",
                ]
            )
        }
    }

    @Test("A folder in which any user can replace files is reported, unless it is sticky")
    func folderOfAll() async throws {
        try await withFolder { folder in
            try folder.write("{}", to: "open/a.json")
            try folder.write("{}", to: "sticky/a.json")
            try folder.setMode(0o777, of: "open")
            try folder.setMode(0o1777, of: "sticky")
            let found = try await folder.doctor("-s", "open/a.json", "-s", "sticky/a.json")
            #expect(
                found.lines == [
                    "DIR/open: problem: any user can replace the files in it: its permissions are 0777; run 'chmod o-w DIR/open'",
                    "DIR/sticky/a.json: no problems", "2 stores: 1 problem",
                ]
            )
        }
    }

    @Test(
        "A user without access is told which file and folder lack it",
        .enabled(if: getuid() == 0, "only the superuser becomes another user"),
        arguments: [
            (
                "chmod 644 f/a.json",
                [
                    "DIR/f/a.json: problem: cannot be written by nobody: its owner is root, and its permissions are 0644; run "
                        + "'sudo chown nobody DIR/f/a.json', or run the program as its owner",
                    folderLine, "1 store: 2 problems",
                ]
            ),
            (
                "chmod 600 f/a.json; chmod 1777 f",
                [
                    "DIR/f/a.json: problem: cannot be read or written by nobody: its owner is root, and its permissions are "
                        + "0600; run 'sudo chown nobody DIR/f/a.json', or run the program as its owner",
                    "1 store: 1 problem",
                ]
            ),
            (
                "chmod 666 f/a.json; chmod 1777 f",
                [
                    "DIR/f/a.json: problem: belongs to root, not to nobody; run 'sudo chown nobody DIR/f/a.json', or run the "
                        + "program as its owner",
                    "DIR/f/a.json: problem: any user can change it: its permissions are 0666; run 'sudo chmod o-w DIR/f/a.json'",
                    "1 store: 2 problems",
                ]
            ),
            (
                "chown nobody f f/a.json; chmod 200 f/a.json",
                [
                    "DIR/f/a.json: problem: cannot be read by nobody: its owner is nobody, and its permissions are 0200; run "
                        + "'chmod u+r DIR/f/a.json'",
                    "1 store: 1 problem",
                ]
            ),
            ("rm f/a.json", [folderLine, "1 store: 1 problem"]),
            (
                "chmod 700 f",
                [
                    "DIR/f/a.json: problem: cannot inspect DIR/f/a.json: Permission denied; 'namei -l DIR/f/a.json' shows the "
                        + "folders that nobody cannot enter",
                    "1 store: 1 problem",
                ]
            ),
        ]
    )
    func anotherUser(preparation: String, lines: [String]) async throws {
        try await withFolder { folder in
            let script = """
                umask 022
                mkdir f
                echo '{}' >f/a.json
                \(preparation)
                # The folder of the build may be that of a user.
                cp "$(command -v prefs)" doctor-of-nobody
                setpriv --reuid=nobody --regid=nogroup --clear-groups ./doctor-of-nobody doctor -s f/a.json
                """
            let found = try await folder.doctor(shell: script)
            #expect(found.lines == lines)
            #expect(found.errors == "")
            #expect(found.status == 1)
        }
    }

    private static let folderLine =
        "DIR/f: problem: cannot be written by nobody, but each write creates a file in it, which replaces the old one: its "
        + "owner is root, and its permissions are 0755; run 'sudo chown nobody DIR/f', or run the program as its owner"

    @Test("The superuser is told of another owner", .enabled(if: getuid() == 0, "only the superuser gives files away"))
    func anotherOwner() async throws {
        try await withFolder { folder in
            let found = try await folder.doctor(shell: "echo '{}' >a.json; chown nobody a.json; prefs doctor -s a.json")
            #expect(
                found.lines == [
                    "DIR/a.json: remark: belongs to nobody; run 'sudo -u nobody prefs doctor …' to examine the access of that "
                        + "user",
                    "1 store: no problems, 1 remark",
                ]
            )
            #expect(found.status == 0)
        }
    }

    @Test("The files of an app are examined, and a site file need not be writable")
    func app() async throws {
        try await withFolder { folder in
            try folder.write("{}", to: "site/weather/preferences.json")
            try folder.write("{", to: "config/weather/preferences.json")
            try folder.setMode(0o555, of: "site/weather")
            let script = """
                export XDG_CONFIG_HOME=$PWD/config XDG_CONFIG_DIRS=$PWD/site
                prefs doctor --app weather
                """
            let found = try await folder.doctor(shell: script)
            try folder.setMode(0o755, of: "site/weather")
            let file = "DIR/config/weather/preferences.json"
            #expect(
                found.lines == [
                    "\(file): problem: line 1, column 2: the file ends too early; expected a name in double quotes; repair it in "
                        + "an editor, or begin anew by 'mv \(file) \(file).broken'",
                    "DIR/site/weather/preferences.json: no problems", "2 stores: 1 problem",
                ]
            )
        }
    }

    // MARK: - The system

    /// Whether a process may have file systems and limits of its own.
    @Sendable private static func hasNamespaces() async throws -> Bool {
        try await CommandLineRun("unshare", ["--user", "--map-root-user", "--mount", "true"]).succeeded
    }

    @Test(
        "A full disk, a read-only one and one without inodes are reported",
        .enabled("mounting requires a namespace", hasNamespaces),
        arguments: [
            (
                "head -c 200000 /dev/zero >disk/other 2>/dev/null", "size=64k",
                "DIR/disk: problem: has no space for the next write: the file system has 0 bytes left, and 4096 are needed; "
                    + "remove files: 'df DIR/disk' shows the file system"
            ),
            (
                "mount -o remount,ro disk", "size=64k",
                "DIR/disk: problem: is on a file system that is mounted read-only; mount it for writing, or give the store "
                    + "another path"
            ),
            (
                "", "nr_inodes=2",
                "DIR/disk: problem: has no room for another file: all inodes of the file system are in use; remove files: "
                    + "'df -i DIR/disk' shows the file system"
            ),
        ]
    )
    func disk(preparation: String, options: String, line: String) async throws {
        try await withFolder { folder in
            let script = """
                mkdir disk
                unshare --user --map-root-user --mount bash -c '
                  mount -t tmpfs -o \(options) tmpfs disk
                  echo {} >disk/a.json
                  \(preparation)
                  prefs doctor -s disk/a.json'
                """
            let found = try await folder.doctor(shell: script)
            #expect(found.lines == [line, "1 store: 1 problem"])
            #expect(found.status == 1)
        }
    }

    @Test(
        "The limit that prevents watching a file is named",
        .enabled("limits require a namespace", hasNamespaces),
        arguments: ["instances", "watches"]
    )
    func watchLimit(limit: String) async throws {
        try await withFolder { folder in
            let script = """
                echo '{}' >a.json
                unshare --user --map-root-user bash -c '
                  echo 0 >/proc/sys/user/max_inotify_\(limit)
                  prefs doctor -s a.json'
                """
            let found = try await folder.doctor(shell: script)
            let value = try String(contentsOfFile: "/proc/sys/fs/inotify/max_user_\(limit)", encoding: .utf8)
            let name = "fs.inotify.max_user_\(limit)"
            #expect(
                found.lines == [
                    "DIR/a.json: problem: cannot be watched: the limit \(name), which is "
                        + "\(value.trimmingCharacters(in: .newlines)), is reached; end programs that watch files, or raise it by "
                        + "'sudo sysctl \(name)=NUMBER'",
                    "1 store: 1 problem",
                ]
            )
        }
    }

    // MARK: - Databases

    /// Runs SQL in a process that is killed afterwards.
    private static func killed(after sql: String, in database: String) -> String {
        """
        mkfifo input
        sqlite3 \(database) <input >/dev/null &
        exec 3>input
        echo "\(sql)" >&3
        echo ".shell touch done" >&3
        until [ -e done ]; do :; done
        kill -KILL $!
        wait $! 2>/dev/null
        """
    }

    @Test("The log that a killed process has left is a remark, and is not merged by the examination")
    func log() async throws {
        try await withFolder { folder in
            try await folder.makeStores()
            let script = """
                \(Self.killed(after: "UPDATE preferences SET value = 'x';", in: "a.sqlite"))
                prefs doctor -s sqlite:a.sqlite
                """
            let found = try await folder.doctor(shell: script)
            #expect(
                found.lines == [
                    "DIR/a.sqlite-wal: remark: has changes of a program that has ended without merging them (1080 bytes); nothing is "
                        + "lost: the next program that writes merges them; copy both files together",
                    "1 store: no problems, 1 remark",
                ]
            )
            #expect(found.status == 0)
            #expect(try folder.size(of: "a.sqlite-wal") == 1_080)
            let missing = try await folder.doctor(shell: "mv a.sqlite other; prefs doctor -s sqlite:a.sqlite")
            #expect(
                missing.lines == [
                    "DIR/a.sqlite-wal: problem: is the log of a database that is missing; restore the database beside it; the "
                        + "next write sets it aside",
                    "1 store: 1 problem",
                ]
            )
        }
    }

    @Test("The journal that a killed process has left is reported, and the transaction is not rolled back")
    func journal() async throws {
        try await withFolder { folder in
            try await folder.makeStores()
            let sql = """
                PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT \
                i + 1 FROM n LIMIT 300) INSERT INTO preferences SELECT 'name' || i, 'string', hex(zeroblob(300)) FROM n;
                """
            let script = """
                \(Self.killed(after: sql, in: "a.sqlite"))
                prefs doctor -s sqlite:a.sqlite
                """
            let found = try await folder.doctor(shell: script)
            #expect(
                found.lines == [
                    "DIR/a.sqlite-journal: problem: is the journal of a transaction that a killed process has left; keep it "
                        + "beside the database, and run 'sqlite3 DIR/a.sqlite .schema' to roll the transaction back",
                    "1 store: 1 problem",
                ]
            )
            #expect(try folder.size(of: "a.sqlite-journal") > 0)
        }
    }

    @Test("A SQLite that cannot be loaded is reported")
    func noSQLite() async throws {
        try await withFolder { folder in
            let script = """
                mkdir library
                : >library/libsqlite3.so.0
                LD_LIBRARY_PATH=$PWD/library prefs doctor -s sqlite:a.sqlite
                """
            let found = try await folder.doctor(shell: script)
            #expect(
                found.lines == [
                    "DIR/a.sqlite: problem: SQLite cannot be loaded: DIR/library/libsqlite3.so.0: file too short; install SQLite "
                        + "again, 3.31 or later",
                    "1 store: 1 problem",
                ]
            )
        }
    }

    // MARK: - Other stores, and schemas

    @Test("A server is asked for its document")
    func server() async throws {
        try await withFolder { folder in
            try await PreferenceServer.run { server in
                try server.serve(.init(#"{"weather": {"unit": "kelvin"}}"#))
                let found = try await folder.doctor("-s", server.url().absoluteString)
                let pattern = try Regex(
                    "http://127\\.0\\.0\\.1:\\d+/preferences: no problems \\(status 200, 31 bytes in \\d+ ms\\)"
                )
                #expect(found.lines.count == 2)
                #expect(found.lines.first?.wholeMatch(of: pattern) != nil)
                #expect(found.lines.last == "1 store: no problems")

                let missing = try await folder.doctor("-s", server.url("/other").absoluteString)
                #expect(
                    missing.lines == [
                        "\(server.url("/other")): problem: the server answered with status 404; there are no earlier values, so "
                            + "keys read as their defaults; check the URL and the server",
                        "1 store: 1 problem",
                    ]
                )
                #expect(missing.status == 1)
            }
        }
    }

    @Test("With a schema, values that do not fit, unknown names and unknown variables are reported")
    func schema() async throws {
        try await withFolder { folder in
            try await folder.makeStores()
            try folder.write(#"{"weather:unit": 5, "weather:dayz": 1}"#, to: "b.json")
            let script = """
                export DOCTOR_WEATHER_DAYZ=1 DOCTOR_WEATHER_DAYS=0
                prefs doctor --schema Weather.preferences.json -s b.json -s env:DOCTOR_
                """
            let found = try await folder.doctor(shell: script)
            #expect(
                found.lines == [
                    "DIR/b.json: problem: 'weather:unit': expected String, found the integer 5; using its default; set another "
                        + "value, or reset it",
                    "DIR/b.json: problem: 'weather:dayz': the schema has no such key; did you mean 'weather:days'?",
                    "environment 'DOCTOR_': problem: no key reads the variable DOCTOR_WEATHER_DAYZ; did you mean "
                        + "DOCTOR_WEATHER_DAYS?",
                    "2 stores: 3 problems",
                ]
            )
            #expect(found.status == 1)
        }
    }

    @Test("A schema that is missing or has errors is a problem of its own, and the stores are examined")
    func faultySchema() async throws {
        try await withFolder { folder in
            try folder.write("{}", to: "a.json")
            try folder.write("{", to: "Bad.preferences.json")
            let missing = try await folder.doctor("-s", "a.json", "--schema", "None.preferences.json")
            #expect(
                missing.lines == [
                    "DIR/a.json: no problems",
                    "schema: problem: cannot read None.preferences.json: No such file or directory; repair it; the values were "
                        + "not checked",
                    "1 store: 1 problem",
                ]
            )
            let bad = try await folder.doctor("-s", "a.json", "--schema", "Bad.preferences.json")
            #expect(
                bad.lines == [
                    "DIR/a.json: no problems",
                    "schema: problem: the schema has 1 error; repair it; the values were not checked",
                    "1 store: 1 problem",
                ]
            )
            #expect(bad.errors.contains("Bad.preferences.json:1"))
            #expect(bad.status == 1)
        }
    }

    @Test("The values of a keyfile are checked as by 'check', also beside another store")
    func gSettings() async throws {
        try await withFolder { folder in
            try folder.write(
                """
                <schemalist>
                  <schema id="org.example.a" path="/org/example/a/">
                    <key name="size" type="i"><default>5</default><range min="1" max="9"/></key>
                  </schema>
                  <schema id="org.example.b"><key name="n" type="i"><default>5</default></key></schema>
                </schemalist>

                """,
                to: "a.gschema.xml"
            )
            try folder.write("[org/example/a]\nsize=77\nfoo=1\n", to: "keyfile")
            try folder.write("{}", to: "a.json")
            for stores in [["-s", "gsettings:keyfile"], ["-s", "gsettings:keyfile", "-s", "a.json"]] {
                let options = ["--json", "--schema", "a.gschema.xml"] + stores
                let checked = try await Prefs(["check"] + options, in: folder.url)
                let examined = try await Prefs(["doctor"] + options, in: folder.url)
                #expect(checked.status == 1 && examined.status == 1)
                let names = checked.output.matches(of: /"storageName": "(.*)"/).map { String($0.1) }
                #expect(names.count == stores.count / 2 + 1)
                for name in names { #expect(examined.output.contains("'\(name)'"), "\(examined)") }
                #expect(examined.output.ranges(of: "\"problem\"").count == names.count, "\(examined)")
            }
        }
    }

    @Test("'--json' has the findings of each store")
    func json() async throws {
        try await withFolder { folder in
            try folder.write("{}", to: "a.json")
            try folder.setMode(0o602, of: "a.json")
            let found = try await folder.doctor("--json", "-s", "a.json", "-s", "b.json")
            #expect(
                found.lines.joined(separator: "\n") == """
                    [
                      {
                        "details": [],
                        "findings": [
                          {
                            "advice": "run 'chmod o-w DIR/a.json'",
                            "fixable": true,
                            "level": "problem",
                            "message": "any user can change it: its permissions are 0602",
                            "place": "DIR/a.json"
                          }
                        ],
                        "store": "DIR/a.json"
                      },
                      {
                        "details": [
                          "it does not exist yet"
                        ],
                        "findings": [],
                        "store": "DIR/b.json"
                      }
                    ]
                    """
            )
            #expect(found.status == 1)
        }
    }

    @Test("In '--json', what a message says is apart from the advice")
    func jsonAdvice() async throws {
        try await withFolder { folder in
            try folder.write("", to: "a.json")
            let found = try await folder.doctor("--json", "-s", "a.json")
            let message = "line 1, column 1: the file is empty; expected a JSON object"
            #expect(found.lines.contains { $0.hasSuffix("\"message\": \"\(message)\",") }, "\(found)")
            let advice = "repair it in an editor, or begin anew by 'mv DIR/a.json DIR/a.json.broken'"
            #expect(found.lines.contains { $0.hasSuffix("\"advice\": \"\(advice)\",") }, "\(found)")
        }
    }

    @Test("A database that a later version has made is not called damaged")
    func laterDatabase() async throws {
        try await withFolder { folder in
            try await folder.makeStores()
            let found = try await folder.doctor(
                shell: "sqlite3 a.sqlite 'PRAGMA user_version = 2'; prefs doctor -s sqlite:a.sqlite"
            )
            #expect(
                found.lines.first == "DIR/a.sqlite: problem: the database has the layout version 2, and this version of the "
                    + "program supports only 1; it was left unchanged, use a newer version of the program"
            )
        }
    }

    @Test("Arguments, and a command line without stores, are refused")
    func usage() async throws {
        try await withFolder { folder in
            let argument = try await folder.doctor("a.json")
            #expect(
                argument.errors
                    == "prefs: error: 'doctor' examines stores; name them with '--store STORE'\n"
                    + "Run 'prefs doctor --help' for usage.\n"
            )
            let none = try await folder.doctor()
            #expect(
                none.errors
                    == "prefs: error: no store given; specify '--app NAME' for an app's files, or '--store STORE'\n"
                    + "Run 'prefs doctor --help' for usage.\n"
            )
            #expect(argument.status == 2 && none.status == 2)
        }
    }
}
