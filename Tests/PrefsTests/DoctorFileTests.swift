import Foundation
import TestSupport
import Testing

@Suite("prefs doctor: files")
struct DoctorFileTests {
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
        let found = try await diagnosis(shell: "\(preparation); prefs doctor -s \(store)")
        #expect(found.lines == [line, "1 store: 1 problem"])
        #expect(found.status == 1)
    }

    @Test("Files that were set aside are listed with their times and sizes")
    func setAside() async throws {
        let found = try await diagnosis(
            [
                "a.json": "{}", "a.json.corrupt-20261121T190748Z": "bad",
                "a.json.replaced-20261122T080000Z-2": "{}\n", "a.json.corrupt-yesterday": "other",
            ],
            "-s",
            "a.json"
        )
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
        let found = try await diagnosis(["a.json": "{}", ".a.json.lock": "text"], "-s", "a.json")
        #expect(
            found.lines == [
                "DIR/.a.json.lock: problem: cannot lock DIR/.a.json.lock: File exists; it is not the lock of this file, as "
                    + "it has contents, a second name or another owner: move it away",
                "1 store: 1 problem",
            ]
        )
    }

    @Test("The temporary file of a process that was killed while it wrote is reported, and removed by '--fix'")
    func temporaryFile() async throws {
        try await withStores { folder in
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
        try await withStores { folder in
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
        "A user without access sees which file and folder lack it",
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
        let script = """
            umask 022
            mkdir f
            echo '{}' >f/a.json
            \(preparation)
            # The folder of the build may be that of a user.
            cp "$(command -v prefs)" doctor-of-nobody
            setpriv --reuid=nobody --regid=nogroup --clear-groups ./doctor-of-nobody doctor -s f/a.json
            """
        let found = try await diagnosis(shell: script)
        #expect(found.lines == lines)
        #expect(found.errors == "")
        #expect(found.status == 1)
    }

    private static let folderLine =
        "DIR/f: problem: cannot be written by nobody, but each write creates a file in it, which replaces the old one: its "
        + "owner is root, and its permissions are 0755; run 'sudo chown nobody DIR/f', or run the program as its owner"

    @Test("The superuser sees another owner", .enabled(if: getuid() == 0, "only the superuser gives files away"))
    func anotherOwner() async throws {
        let found = try await diagnosis(shell: "echo '{}' >a.json; chown nobody a.json; prefs doctor -s a.json")
        #expect(
            found.lines == [
                "DIR/a.json: remark: belongs to nobody; run 'sudo -u nobody prefs doctor …' to examine the access of that "
                    + "user",
                "1 store: no problems, 1 remark",
            ]
        )
        #expect(found.status == 0)
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
        let script = """
            mkdir disk
            unshare --user --map-root-user --mount bash -c '
              mount -t tmpfs -o \(options) tmpfs disk
              echo {} >disk/a.json
              \(preparation)
              prefs doctor -s disk/a.json'
            """
        let found = try await diagnosis(shell: script)
        #expect(found.lines == [line, "1 store: 1 problem"])
        #expect(found.status == 1)
    }

    @Test(
        "The limit that prevents watching a file is named",
        .enabled("limits require a namespace", hasNamespaces),
        arguments: ["instances", "watches"]
    )
    func watchLimit(limit: String) async throws {
        let script = """
            echo '{}' >a.json
            unshare --user --map-root-user bash -c '
              echo 0 >/proc/sys/user/max_inotify_\(limit)
              prefs doctor -s a.json'
            """
        let found = try await diagnosis(shell: script)
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
