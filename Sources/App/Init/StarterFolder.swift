import CampaignCore
import CampaignFormat
import Files

/// A starter folder: a campaign of each kind with everything that it needs.
///
/// It passes `validate`, and its campaigns can be run immediately.
struct StarterFolder {
    /// The service that checks pull requests.
    enum ReviewService: String, CaseIterable, Sendable {
        case github
        case gitlab
    }

    struct Outcome: Sendable {
        struct Left: Hashable, Sendable {
            let path: String
            /// What to do by hand, if anything, as the end of a sentence.
            let advice: String?
        }

        fileprivate(set) var written: [String] = []
        fileprivate(set) var left: [Left] = []
        /// The written files in which something has to be filled in.
        fileprivate var unfinished: [String] = []
        private let first: String

        fileprivate init(first: String) {
            self.first = first
        }

        /// Lines that list the written files and say what to do next.
        var text: String {
            let campaign = ShellWord.quoted(first)
            let files = written.map { "  \(VisibleText.path($0))\n" }.joined()
            let paths = unfinished.map(VisibleText.path).joined(separator: " and ")
            let unset = """
                Fill in PROGRAM_URL and PROGRAM_SHA256 in \(paths): the address and the checksum of your hubsend build. \
                The jobs fail until then.


                """
            return (files.isEmpty ? "" : "Written:\n\(files)\n") + (paths.isEmpty ? "" : unset)
                + """
                Next, preview what people would get, and then send it to a hub on this machine:
                  hubsend preview \(campaign)
                  hubsend run \(campaign)

                """
        }

        /// A sentence for each existing file that was left unchanged.
        var leftSentences: [String] {
            left.map { file in
                let advice = file.advice.map { "; " + $0 } ?? ""
                return
                    "\(VisibleText.path(file.path)) exists and was left unchanged\(advice)."
            }
        }
    }

    /// How much of an existing file is read, in bytes.
    private static let longestRead = 1 << 20

    private let folder: String
    private let names: Names
    private let service: ReviewService?
    private let invocation: Invocation

    /// `name` is a prefix for campaign names, so that teams can share a store.
    init(
        at folder: String, name: String?, service: ReviewService?, invocation: Invocation
    ) {
        self.folder = folder
        names = Names(prefix: name.map { $0 + "-" } ?? "")
        self.service = service
        self.invocation = invocation
    }

    /// Writes the files that are missing; existing files are never touched.
    func write() throws(Refused) -> Outcome {
        let repository = try Repository(around: Path.resolved(invocation.absolute(folder)))
        guard let inner = RepositoryPath(repository.inner) else {
            throw .unwritable(
                folder,
                why: "its name contains characters that hooks and workflows cannot use")
        }
        var outcome = Outcome(first: Path.file(names.welcome + ".yaml", in: folder))
        for file in files(in: inner) {
            let path = repository.path(of: file, in: folder, current: invocation.currentFolder)
            if try Self.write(file.text, to: path) {
                outcome.written.append(path)
                if file.text.contains(WorkflowLines.unsetProgram) {
                    outcome.unfinished.append(path)
                }
            } else {
                let advice = file.advice(Self.beginning(of: path))
                outcome.left.append(Outcome.Left(path: path, advice: advice))
            }
        }
        return outcome
    }

    private func files(in inner: RepositoryPath) -> [StarterFile] {
        let own = [
            StarterFile(name: "hubsend.yaml", text: marked(.config, ConfigTemplates.config)),
            StarterFile(name: "devices.yaml", text: marked(.devices, ConfigTemplates.devices)),
            campaign(names.welcome, RichTemplate.text),
            campaign(names.statement, SecureTemplate.text),
            campaign(names.maintenance, AlertTemplate.text),
            StarterFile(name: "audiences/customers.csv", text: AudienceTemplates.customers),
            StarterFile(name: "audiences/opted-out.txt", text: AudienceTemplates.optedOut),
            StarterFile(name: "audiences/staff.txt", text: AudienceTemplates.staff),
        ]
        let beside = StarterSchema.allCases.map { schema in
            StarterFile(name: schema.fileName, text: JSONSchema(schema.shape).text)
        }
        let shared = [
            StarterFile(
                name: ".gitignore", text: RepositoryTemplates.ignored,
                advice: {
                    RepositoryTemplates.isStoreIgnored(by: $0)
                        ? nil : "add the line \(RepositoryTemplates.storeLine) to it"
                }),
            StarterFile(
                name: ".pre-commit-config.yaml", text: RepositoryTemplates.commitHook(inner),
                place: .repository,
                advice: {
                    $0.contains(RepositoryTemplates.hook) ? nil : "hubsend(1) shows the hook to add"
                }),
        ]
        return own + beside + shared + workflows(inner)
    }

    private func campaign(_ name: String, _ template: (String) -> String) -> StarterFile {
        StarterFile(name: name + ".yaml", text: marked(.campaign, template(name)))
    }

    private func marked(_ schema: StarterSchema, _ text: String) -> String {
        schema.comment + text
    }

    private func workflows(_ inner: RepositoryPath) -> [StarterFile] {
        let files =
            switch service {
            case .github:
                [
                    (GitHubTemplate.path, GitHubTemplate.text(inner)),
                    (GitHubTemplate.sendingPath, GitHubTemplate.sending(inner)),
                ]
            case .gitlab: [(GitLabTemplate.path, GitLabTemplate.text(inner))]
            case nil: [(String, String)]()
            }
        return files.map { name, text in
            StarterFile(
                name: name, text: text, place: .repository,
                advice: {
                    $0.contains(WorkflowLines.unsetProgram)
                        ? "fill in its PROGRAM_URL" : nil
                })
        }
    }

    /// The text of an existing file, or only its beginning if the file is very long.
    private static func beginning(of path: String) -> String {
        do {
            return String(
                decoding: try OpenFile(path, for: .reading).beginning(longestRead), as: UTF8.self)
        } catch {
            // A file that cannot be read may need a change, so it is treated as empty.
            return ""
        }
    }

    /// Writes a missing file completely or not at all; returns false if something already exists
    /// there.
    ///
    /// The umask determines who can read it, but others can never write it, because a config that
    /// they can write is refused.
    private static func write(_ text: String, to path: String) throws(Refused) -> Bool {
        do throws(SystemError) {
            try Folder.make(Path.folder(of: path), mode: 0o755)
            let file: OpenFile
            do throws(SystemError) {
                file = try OpenFile(
                    path, for: .creating, followingLinks: false, mode: 0o644)
            } catch {
                guard error.kind == .exists else { throw error }
                return false
            }
            do throws(SystemError) {
                try file.write(Array(text.utf8))
            } catch {
                // The next call would not replace an incomplete file.
                try Folder.removeFile(path)
                throw error
            }
            return true
        } catch {
            throw .unwritable(path, error)
        }
    }
}

private struct Names {
    let prefix: String

    var welcome: String { prefix + "welcome" }
    var statement: String { prefix + "statement" }
    var maintenance: String { prefix + "maintenance" }
}

/// The repository around the folder, or the folder itself if it is not in a repository.
private struct Repository {
    let top: String
    /// The folder's path in the repository; empty if the folder is the top.
    let inner: String

    /// Searches for `.git` in a folder and above it; the path must be absolute and without links,
    /// but need not exist.
    init(around folder: String) throws(Refused) {
        let folder = Path.cleaned(folder)
        var top = folder
        do throws(SystemError) {
            while try FileStatus.find(Path.file(".git", in: top), followingLinks: false) == nil {
                let above = Path.folder(of: top)
                guard above != top else {
                    (self.top, inner) = (folder, "")
                    return
                }
                top = above
            }
        } catch {
            throw Refused("\(top) cannot be read: \(error).")
        }
        self.top = top
        inner = Path.relative(folder, to: top) ?? ""
    }

    func path(of file: StarterFile, in folder: String, current: String) -> String {
        guard file.place == .repository, !inner.isEmpty else {
            return Path.file(file.name, in: folder)
        }
        let path = Path.file(file.name, in: top)
        return Path.relative(path, to: Path.resolved(current)) ?? path
    }
}
