import Foundation
import TestSupport
import Testing

@Suite("prefs schema diff with a git repository")
struct SchemaDiffGitTests {
    private static let path = "Sources/App/Weather.preferences.json"
    private static let oldPath = "v1.0:\(path)"

    /// Runs a body in a repository whose tag v1.0 has the old schema, and whose working tree has the new one.
    private func withRepository(_ body: (Folder) async throws -> Void) async throws {
        try await withFolder { folder in
            try folder.write(Version.old, to: Self.path)
            try await folder.release("v1.0")
            try folder.write(Version.new, to: Self.path)
            try await body(folder)
        }
    }

    // MARK: - Revisions

    @Test(
        "The working tree is compared with a revision, whatever names it",
        arguments: ["v1.0", "main", "HEAD", "HEAD~0", "refs/tags/v1.0", "@"]
    )
    func revision(name: String) async throws {
        try await withRepository { folder in
            for path in ["Sources/App", Self.path] {
                let run = try await folder.git("prefs schema diff \(path) --against \(name)")
                #expect(run.output == Version.report("\(name):\(Self.path)", Self.path, name))
                #expect(run.errors == "")
                #expect(run.status == 1)
            }
            let whole = try await folder.git("prefs schema diff --against \(name)")
            #expect(whole.output == Version.report("\(name):\(Self.path)", Self.path, name))
        }
    }

    @Test("Paths are relative to the current folder, or absolute, also through a link")
    func paths() async throws {
        try await withRepository { folder in
            let file = "Weather.preferences.json"
            let inFolder = try await folder.git("cd Sources/App && prefs schema diff --against v1.0")
            #expect(inFolder.output == Version.report("v1.0:\(file)", file, "v1.0"), "\(inFolder)")
            try await folder.prepare("mkdir Sources/Other")
            let above = try await folder.git("cd Sources/Other && prefs schema diff ../App --against v1.0")
            #expect(above.output == Version.report("v1.0:../App/\(file)", "../App/\(file)", "v1.0"), "\(above)")
            let absolute = folder.path(Self.path)
            let run = try await folder.git("cd Sources && prefs schema diff \(absolute) --against v1.0")
            #expect(run.output == Version.report("v1.0:\(absolute)", absolute, "v1.0"), "\(run)")
            try await withFolder { other in
                try await other.prepare("ln -s \(folder.path("")) link")
                let linked = other.path("link") + "/" + Self.path
                let link = try await folder.git("prefs schema diff \(linked) --against v1.0")
                #expect(link.output == Version.report("v1.0:\(linked)", linked, "v1.0"), "\(link)")
                let outside = try await folder.git("prefs schema diff \(other.path("")) --against v1.0")
                let root = folder.path("")
                #expect(outside.errors == "prefs: error: \(other.path("")) is not in the repository at \(root)\n")
                #expect(outside.status == 3)
            }
            let escaping = try await folder.git("prefs schema diff ../.. --against v1.0")
            #expect(escaping.errors == "prefs: error: ../.. is not in the repository at \(folder.path(""))\n")
        }
    }

    @Test("A schema that was renamed is compared with its former file, and includes are those of the revision")
    func renamedFiles() async throws {
        try await withFolder { folder in
            func include(_ unit: String) -> String {
                """
                {
                  "formatVersion": 1,
                  "namespaces": { "weather": { "keys": { "unit": { "type": "\(unit)" } } } }
                }
                """
            }
            let including = #"{ "formatVersion": 1, "includes": ["../Shared/Unit.preferences-include.json"] }"#
            try folder.write(including, to: "App/Weather.preferences.json")
            try folder.write(include("Int?"), to: "Shared/Unit.preferences-include.json")
            try await folder.release("v1.0")
            try await folder.prepare("git mv App/Weather.preferences.json App/Climate.preferences.json")
            try folder.write(include("String?"), to: "Shared/Unit.preferences-include.json")
            let run = try await folder.git("prefs schema diff App --against v1.0")
            let place = "Shared/Unit.preferences-include.json:3:60"
            #expect(run.output.hasPrefix("\(place): error: key 'weather.unit' was of type 'Int?'"))
            #expect(run.output.contains("\nv1.0:\(place): note: "))
            #expect(run.output.hasSuffix("compared with v1.0: 1 storage change\n"), "\(run.output)")

            // A file that the revision does not have is none of its includes, even if it exists now.
            let missing = including.replacing("Unit", with: "Other")
            try folder.write(missing, to: "App/Climate.preferences.json")
            try await folder.release("v1.1")
            try folder.write(include("Int?"), to: "Shared/Other.preferences-include.json")
            let fault = try await folder.git("prefs schema diff App --against v1.1")
            #expect(
                fault.errors == """
                    v1.1:App/Climate.preferences.json:1:36: error: cannot read 'Shared/Other.preferences-include.json': \
                    the revision does not have it [missing-include]
                    prefs: error: the schemas have 1 error; nothing was compared

                    """
            )
            #expect(fault.status == 1)
        }
    }

    @Test("The keys of a removed file, and of a removed folder, are lost")
    func removedFiles() async throws {
        try await withRepository { folder in
            let other = #"{ "formatVersion": 1, "keys": { "a": { "type": "Int?" } } }"#
            try folder.write(other, to: "Sources/App/A.preferences.json")
            try await folder.prepare("rm \(Self.path)")
            let file = try await folder.git("prefs schema diff Sources/App --against v1.0")
            #expect(file.output.contains("\(Self.oldPath):7:9: note: key 'weather.scale' is here in the old schema\n"))
            #expect(file.output.hasSuffix("compared with v1.0: 2 storage changes\n"), "\(file.output)")
            #expect(file.status == 1)
            try await folder.prepare("rm -r Sources")
            for path in ["Sources/App", Self.path] {
                let all = try await folder.git("prefs schema diff \(path) --against v1.0 --format github")
                // No file is left to which the error belongs.
                let start = "::error title=storage%3A storage-name-removed::\(Self.oldPath):7:9: no key is"
                #expect(all.output.hasPrefix(start))
                #expect(all.status == 1)
            }
        }
    }

    @Test("A path that the revision does not have is new, and one that exists nowhere is an error")
    func newPaths() async throws {
        try await withRepository { folder in
            try folder.write(Version.new, to: "New/Weather.preferences.json")
            let new = try await folder.git("prefs schema diff New --against v1.0")
            #expect(new.errors == "prefs: remark: New is not in v1.0: all of it is new\n")
            #expect(new.output == "compared with v1.0: no changes that affect users\n")
            #expect(new.status == 0)
            let nowhere = try await folder.git("prefs schema diff Nowhere --against v1.0")
            #expect(
                nowhere.errors
                    == "prefs: error: cannot read Nowhere: it is neither in the working tree nor in v1.0\n"
            )
            #expect(nowhere.status == 3)
            try folder.write("", to: "Empty/Notes.txt")
            try await folder.prepare("git add Empty && git commit -q -m Empty")
            let empty = try await folder.git("prefs schema diff Empty --against HEAD")
            #expect(empty.errors == "prefs: error: no file in Empty ends in '.preferences.json', nor did one in HEAD\n")
            #expect(empty.status == 3)
        }
    }

    @Test("A configuration is that of each version")
    func configuration() async throws {
        try await withRepository { folder in
            try folder.write(Version.old, to: Self.path)
            try folder.write(#"{ "access": "public" }"#, to: "Sources/App/preferences-generator-config.json")
            // The release has none, and widening the access breaks nothing.
            let wider = try await folder.git("prefs schema diff Sources/App --against v1.0")
            #expect(wider.output == "compared with v1.0: no changes that affect users\n")
            try await folder.release("v1.1")
            try folder.write(#"{ "access": "internal" }"#, to: "Sources/App/preferences-generator-config.json")
            let narrower = try await folder.git("prefs schema diff Sources/App --against v1.1")
            #expect(narrower.output.contains("[source: access-narrowed]"), "\(narrower.output)")
            let option = "--config Sources/App/preferences-generator-config.json"
            let named = try await folder.git("prefs schema diff \(Self.path) --against v1.1 \(option)")
            #expect(named.output == narrower.output)
            let older = try await folder.git("prefs schema diff \(Self.path) --against v1.0 \(option)")
            #expect(older.output == "compared with v1.0: no changes that affect users\n")

            try folder.write("{}", to: "Other/preferences-generator-config.json")
            let two = try await folder.git("prefs schema diff Sources/App Other --against v1.1")
            #expect(
                two.errors == """
                    prefs: remark: Other is not in v1.1: all of it is new
                    prefs: error: cannot read Sources/App/preferences-generator-config.json and \
                    Other/preferences-generator-config.json: the schemas have one configuration; name it with '--config FILE'

                    """
            )
            #expect(two.status == 3)
        }
    }

    @Test("The targets of a package are compared together, also one whose schemas are gone")
    func targets() async throws {
        try await withRepository { folder in
            try folder.write(Version.old, to: "Schemas/Kit.preferences.json")
            try folder.write(Version.old, to: "Schemas/Gone/Weather.preferences.json")
            try folder.write("<kcfg/>", to: "Sources/App/App.kcfg")
            try await folder.release("v1.1")
            try await folder.prepare("rm -r Schemas/Gone")
            try folder.write(Version.new, to: "Schemas/Kit.preferences.json")
            let targets = ["App", "Kit", "Gone", "Plain"].map { "--target \($0)=Sources/\($0)" }.joined(separator: " ")
            let run = try await folder.git("prefs schema diff --against v1.0 \(targets)")
            #expect(run.output == Version.report(Self.oldPath, Self.path, "v1.0"))
            #expect(run.errors == "")
            let kit = "Schemas/Kit.preferences.json"
            let both = try await folder.git("prefs schema diff --against v1.1 \(targets)")
            #expect(both.output.contains(Version.storage("v1.1:\(kit)", kit)), "\(both)")
            let gone = "v1.1:Schemas/Gone/Weather.preferences.json"
            #expect(both.output.contains("\n\(gone):7:9: error: no key is stored as"))
            #expect(both.output.hasSuffix("compared with v1.1: 3 storage changes, 1 behavior change\n"))
        }
    }

    @Test("Schemas of a folder that was moved are compared with those of the new target")
    func movedTarget() async throws {
        try await withRepository { folder in
            try folder.write(Version.old, to: "Fixtures/Other.preferences.json")
            try await folder.release("v1.1")
            try await folder.prepare("mkdir Sources/Core; mv \(Self.path) Sources/Core; rmdir Sources/App")
            let targets = "--target Core=Sources/Core --target Plain=Sources/Plain"
            let moved = try await folder.git("prefs schema diff --against v1.0 --all-targets \(targets)")
            #expect(moved.output == Version.report(Self.oldPath, "Sources/Core/Weather.preferences.json", "v1.0"))
            #expect(moved.errors == "prefs: remark: '\(Self.path)' of v1.0 moved to Sources/Core\n")
            // Without the option, there can be other targets.
            let some = try await folder.git("prefs schema diff --against v1.0 \(targets)")
            #expect(some.output == "compared with v1.0: no changes that affect users\n")
            #expect(some.status == 0)
        }
    }

    @Test("A schema that no target has any more is an error, unless it is excluded")
    func lostSchemas() async throws {
        try await withRepository { folder in
            try await folder.prepare("rm -r Sources/App")
            let command = "prefs schema diff --against v1.0 --all-targets --target Other=Sources/Other"
            let other = Version.old.replacing("weather", with: "other")
            try folder.write(other, to: "Sources/Other/Other.preferences.json")
            try folder.write(other.replacing("other", with: "more"), to: "Sources/More/More.preferences.json")
            let lost = try await folder.git("\(command) --target More=Sources/More")
            #expect(
                lost.errors == """
                    \(Self.oldPath):1:1: error: no target has this schema any more, and nothing reads the stored values of its \
                    keys
                    \(Self.oldPath):1:1: note: if it has moved, run 'prefs schema diff \(Self.path) NEW-PATH --against v1.0'; to \
                    leave it out, use '--exclude \(Self.path)'

                    """
            )
            #expect(lost.output == "compared with v1.0: no changes that affect users\n")
            #expect(lost.status == 1)
            let excluded = try await folder.git("\(command) --target More=Sources/More --exclude ./Sources/App")
            #expect(excluded.errors == "")
            #expect(excluded.status == 0)
        }
    }

    // MARK: - The last tag

    @Test("A pattern chooses the tags of a product among those of a repository")
    func tagPattern() async throws {
        try await withRepository { folder in
            try await folder.release("other-1")
            let command = "prefs schema diff Sources/App --against-last-tag"
            let product = try await folder.git("\(command) --match 'v*'")
            #expect(product.output == Version.report(Self.oldPath, Self.path, "v1.0"), "\(product)")
            let none = try await folder.git("\(command) --match 'app/*'")
            #expect(
                none.errors == """
                    prefs: error: no tag that matches 'app/*' is reachable from HEAD; tag a release, or name a revision with \
                    '--against REV'

                    """
            )
            #expect(none.status == 3)
            let misplaced = try await folder.git("prefs schema diff Sources/App --against v1.0 --match 'v*'")
            #expect(misplaced.errors.contains("'--match' requires '--against-last-tag'"))
            #expect(misplaced.status == 2)
        }
    }

    @Test("The last tag is that of the previous release, unless the schemas have changed since the present one")
    func lastTag() async throws {
        try await withRepository { folder in
            let command = "prefs schema diff Sources/App --against-last-tag"
            let first = try await folder.git(command)
            #expect(first.output == Version.report(Self.oldPath, Self.path, "v1.0"))
            // A branch of the same name does not matter.
            try await folder.release("v2.0")
            try await folder.prepare("git tag latest && git tag -a -m 2 annotated && git branch v1.0")
            let release = try await folder.git(command)
            #expect(release.output == Version.report(Self.oldPath, Self.path, "v1.0"), "\(release)")
            // Files that are no schemas do not matter, such as those of a build.
            try folder.write("{}", to: "Package.resolved")
            #expect(try await folder.git(command).output == release.output)
            try folder.write(Version.new.replacing("fahrenheit\"", with: "celsius\""), to: Self.path)
            let faulty = try await folder.git(command)
            #expect(faulty.errors.contains("\(Self.path):3:"))
            try folder.write(Version.schema(#""factor": { "type": "Double?" }"#, unit: "celsius"), to: Self.path)
            let edited = try await folder.git(command)
            #expect(edited.output.hasSuffix(": 1 behavior change\n"), "\(edited)")
            #expect(!edited.output.contains("compared with v1.0"))
        }
    }

    @Test("The first release has nothing to be compared with")
    func firstTag() async throws {
        try await withRepository { folder in
            try folder.write(Version.old, to: Self.path)
            let run = try await folder.git("prefs schema diff --against-last-tag")
            #expect(run.errors == "prefs: remark: v1.0 is the first tag; there is no older version to compare with\n")
            #expect(run.output == "")
            #expect(run.status == 0)
            let json = try await folder.git("prefs schema diff --against-last-tag --format json")
            #expect(json.output.contains(#""changes" : ["#) && !json.output.contains("comparedWith"))
            try folder.write(Version.old.replacing("Double?", with: "Duble?"), to: Self.path)
            try await folder.prepare("git tag -d v1.0 && git commit -qam 2 && git tag v2.0")
            let faulty = try await folder.git("prefs schema diff --against-last-tag")
            #expect(faulty.errors.contains("unknown type 'Duble' [unknown-type]"))
            #expect(faulty.status == 1)
        }
    }

    @Test("A shallow clone, and a repository without a tag, are errors that say what to do")
    func missingTags() async throws {
        try await withRepository { folder in
            try await folder.prepare("git add -A && git commit -q -m 2 && git commit -q --allow-empty -m 3")
            try await withFolder { other in
                try await other.prepare("git clone -q --depth 1 file://\(folder.path("")) .")
                let last = try await other.git("prefs schema diff --against-last-tag")
                #expect(
                    last.errors == """
                        prefs: error: no tag is reachable from HEAD in this shallow clone; fetch the history with \
                        'git fetch --unshallow --tags'

                        """
                )
                #expect(last.status == 3)
                let named = try await other.git("prefs schema diff --against v1.0")
                #expect(
                    named.errors == """
                        prefs: error: there is no revision 'v1.0' in this shallow clone; fetch the history with \
                        'git fetch --unshallow --tags'

                        """
                )
                #expect(named.status == 3)
                try await other.prepare("git tag v3.0")
                let release = try await other.git("prefs schema diff --against-last-tag")
                #expect(
                    release.errors == """
                        prefs: error: no tag before v3.0 is reachable from HEAD in this shallow clone; fetch the history \
                        with 'git fetch --unshallow --tags'

                        """
                )
                try await other.prepare("git tag -d v3.0 && git fetch -q --unshallow --tags")
                let deep = try await other.git("prefs schema diff Sources --against-last-tag")
                #expect(deep.output == Version.report(Self.oldPath, Self.path, "v1.0"))
            }
            try await folder.prepare("git tag -d v1.0")
            let none = try await folder.git("prefs schema diff --against-last-tag")
            #expect(
                none.errors == "prefs: error: no tag is reachable from HEAD; tag a release, or name a revision with "
                    + "'--against REV'\n"
            )
            #expect(none.status == 3)
        }
        try await withFolder { folder in
            try await folder.prepare("git init -q .")
            let unborn = try await folder.git("prefs schema diff --against-last-tag")
            #expect(unborn.errors.hasPrefix("prefs: error: no tag is reachable from HEAD; tag a release"), "\(unborn)")
        }
    }

    // MARK: - Errors

    @Test(
        "An unknown revision is an error, also one that git would read as an option",
        arguments: ["v9", "-x", "--output=stolen", "--all", "v1.0..main", "^v1.0", ":/old", "v1.0:Sources", "main@{5}"]
    )
    func unknownRevision(name: String) async throws {
        try await withRepository { folder in
            let run = try await folder.git("prefs schema diff '--against=\(name)'")
            #expect(run.errors == "prefs: error: there is no revision '\(name)'; 'git tag' lists the tags\n")
            #expect(run.output == "")
            #expect(run.status == 3)
            #expect(try folder.names() == [".git", "Sources"])
        }
    }

    @Test("Without a repository, or without git, nothing is compared")
    func noRepository() async throws {
        try await withFolder { folder in
            try folder.write(Version.old, to: "Weather.preferences.json")
            let run = try await folder.git("prefs schema diff --against v1.0")
            #expect(
                run.errors == """
                    prefs: error: the current folder is not in a git repository; change to the folder of one, or compare two \
                    folders

                    """
            )
            #expect(run.status == 3)
            // A program in a relative folder of PATH could be part of the repository.
            try await folder.prepare("printf '#!/bin/sh\\ntouch ran' >git && chmod +x git")
            let none = try await folder.git("PREFS=$(command -v prefs) && PATH=.:: $PREFS schema diff --against v1.0")
            #expect(none.errors == "prefs: error: there is no 'git' in PATH; install it, or compare two folders\n")
            #expect(none.status == 3)
            #expect(!folder.exists("ran"))
            try await folder.prepare("rm git && git init -q --bare bare.git")
            let bare = try await folder.git("cd bare.git && prefs schema diff --against v1.0")
            #expect(
                bare.errors
                    == "prefs: error: git cannot read the repository: this operation must be run in a work tree\n"
            )
        }
    }

    @Test("A repository of another user is an error with git's advice")
    func otherUser() async throws {
        try await withRepository { folder in
            let run = try await folder.git("GIT_TEST_ASSUME_DIFFERENT_OWNER=1 prefs schema diff --against v1.0")
            let root = folder.path("")
            #expect(
                run.errors == """
                    prefs: error: git cannot read the repository: detected dubious ownership in repository at '\(root)'; if \
                    you trust it, run 'git config --global --add safe.directory \(root)'

                    """
            )
            #expect(run.status == 3)
        }
    }

    @Test("The variables of git determine the repository")
    func variables() async throws {
        try await withRepository { folder in
            try await withFolder { other in
                try await other.prepare("mv \(folder.path(".git")) moved")
                let variables = "GIT_DIR=\(other.path("moved")) GIT_WORK_TREE=\(folder.path(""))"
                let run = try await folder.git("cd Sources && \(variables) prefs schema diff App --against v1.0")
                let path = "App/Weather.preferences.json"
                #expect(run.output == Version.report("v1.0:\(path)", path, "v1.0"), "\(run)")
            }
        }
    }

    // MARK: - Hostile repositories

    @Test("No program that a repository configures runs")
    func configuredPrograms() async throws {
        try await withRepository { folder in
            try folder.write("#!/bin/sh\ntouch \(folder.path("ran"))\ncat\n", to: "program")
            try folder.write(
                "*.json diff=other filter=other\n*.json working-tree-encoding=UTF-16\n",
                to: ".gitattributes"
            )
            try await folder.prepare(
                """
                git add .gitattributes && git -c core.attributesFile=/dev/null commit -q -m Attributes
                chmod +x program
                for key in core.pager pager.show pager.tag core.fsmonitor core.sshCommand core.editor diff.external \\
                    diff.other.command diff.other.textconv filter.other.clean filter.other.smudge filter.other.process
                do git config $key \(folder.path("program")); done
                git config core.hooksPath \(folder.path(""))
                git config column.ui always && git config color.ui always && git config alias.rev-parse '!touch ran'
                for hook in post-checkout post-index-change reference-transaction; do cp program $hook; done
                """
            )
            for option in ["--against v1.0", "--against-last-tag"] {
                let run = try await folder.git("prefs schema diff Sources/App \(option)")
                #expect(run.output == Version.report(Self.oldPath, Self.path, "v1.0"), "\(run)")
            }
            #expect(!folder.exists("ran"))
        }
    }

    @Test("A partial clone is not completed by a program that it configures")
    func partialClone() async throws {
        try await withRepository { folder in
            try folder.write("#!/bin/sh\ntouch \(folder.path("ran"))\nexit 1\n", to: "program")
            try await folder.prepare(
                """
                chmod +x program
                git config uploadpack.allowFilter true
                git clone -q --no-checkout --filter=blob:none "file://$PWD" clone
                cd clone
                git config remote.origin.url ssh://example.org/clone
                git config core.sshCommand \(folder.path("program"))
                """
            )
            let run = try await folder.git("cd clone && prefs schema diff --against v1.0")
            #expect(
                run.errors == """
                    prefs: error: cannot read v1.0:\(Self.path): this partial clone lacks a file of the revision; fetch all \
                    files with 'git fetch --refetch --no-filter'

                    """
            )
            #expect(run.status == 3)
            #expect(!folder.exists("ran"))
        }
    }

    @Test("Names of files with any characters are compared and reported on one line")
    func fileNames() async throws {
        try await withFolder { folder in
            let name = "A \"b\"\n:%1,é\u{202E}.preferences.json"
            try folder.write(Version.old, to: "Schemas/-x/\(name)")
            try folder.write(Version.old, to: "Schemas/.hidden/Weather.preferences.json")
            try await folder.prepare(
                #"""
                printf '{}' >Schemas/$'W\xe9'.preferences.json
                git init -q . && git add -A && git commit -q -m 1 && git tag v1.0
                rm Schemas/$'W\xe9'.preferences.json
                """#
            )
            try folder.write(Version.new, to: "Schemas/-x/\(name)")
            let run = try await folder.git("prefs schema diff Schemas --against v1.0")
            let shown = #"Schemas/-x/A "b"\n:%1,é\u{202E}.preferences.json"#
            #expect(run.output == Version.report("v1.0:\(shown)", shown, "v1.0"), "\(run)")
            let options = "--against v1.0 --format=github --only behavior"
            let github = try await folder.git("cd Schemas && prefs schema diff \(options) -- -x")
            #expect(
                github.output.hasPrefix(
                    #"::error file=-x/A "b"%0A%3A%251%2Cé\u{202E}.preferences.json,line=8,col=57,"#
                        + "title=behavior%3A default-changed::"
                ),
                "\(github)"
            )
            #expect(github.output.split(separator: "\n").count == 1)
        }
    }

    @Test("Links are followed in the revision as in the working tree, and not out of it or in a circle")
    func links() async throws {
        try await withFolder { folder in
            try folder.write(Version.old, to: "Real/Weather.preferences.json")
            try await folder.prepare(
                """
                mkdir -p Linked/Circle && cd Linked
                ln -s ../Real Folder && ln -s Folder/Weather.preferences.json Weather.preferences.json
                ln -s .. Circle/Up && ln -s Loop.preferences.json Loop.preferences.json
                ln -s /etc/hostname Absolute.preferences.json && ln -s ../../../x Outside.preferences.json
                """
            )
            try await folder.release("v1.0")
            try await folder.prepare("cd Linked && rm Loop.* Absolute.* Outside.* Folder")
            try await folder.prepare("ln -s ../Real Linked/Folder && rm Linked/Weather.preferences.json")
            try folder.write(Version.new, to: "Real/Weather.preferences.json")
            let run = try await folder.git("prefs schema diff Linked/Folder --against v1.0")
            let path = "Linked/Folder/Weather.preferences.json"
            #expect(run.output == Version.report("v1.0:\(path)", path, "v1.0"), "\(run)")
            let all = try await folder.git("prefs schema diff Linked --exclude Linked/Folder --against v1.0")
            #expect(all.output.contains("v1.0:Linked/Weather.preferences.json:7:9: error: "), "\(all)")
        }
    }

    @Test("The files of a submodule are not those of the repository")
    func submodules() async throws {
        try await withRepository { folder in
            try await folder.prepare(
                """
                commit=$(git rev-parse HEAD)
                git update-index --add --cacheinfo 160000,$commit,Sources/App/Module
                git commit -q -m Module && git tag v1.1
                """
            )
            let run = try await folder.git("prefs schema diff Sources/App --against v1.1")
            #expect(run.output == Version.report("v1.1:\(Self.path)", Self.path, "v1.1"), "\(run)")
        }
    }
}
