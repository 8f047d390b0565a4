import Foundation
import TestSupport
import Testing

/// The files that a run has written; several tests share them because sending takes a long time.
struct SentFiles: Sendable {
    /// The run's stderr.
    let complaints: String
    private let files: [String: Data]

    /// Sends a campaign to the embedded hub only once, for all workspaces.
    ///
    /// - Parameter files: texts by path relative to the folder.
    init(of campaign: String, in files: [String: String]) async throws {
        let workspace = try Workspace(files)
        let run = try await Binary.run(["run", campaign], in: workspace, status: 0)
        complaints = run.complaints
        var left: [String: Data] = [:]
        for name in try workspace.listing() {
            let url = URL(filePath: workspace.file(name))
            if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
                left[name] = try Data(contentsOf: url)
            }
        }
        self.files = left
    }

    /// Creates a separate folder in which `notice.yaml` has been sent.
    static func notice() async throws -> Workspace {
        try await sentNotice.value.workspace()
    }

    private static let sentNotice = Task {
        try await SentFiles(of: "notice.yaml", in: ["notice.yaml": Campaigns.secure()])
    }

    /// Creates a separate folder with the files of the run.
    func workspace() throws -> Workspace {
        let workspace = try Workspace()
        for (name, data) in files { try workspace.write(data, to: name) }
        return workspace
    }
}
