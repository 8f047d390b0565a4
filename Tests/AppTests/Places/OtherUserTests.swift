import Files
import Foundation
import TestSupport
import Testing

/// Root and colleagues must not create a second store, which would not know who was sent what.
@Suite(.bounded, .enabled(if: geteuid() == 0 && InstalledTool.areThere("setpriv")))
struct OtherUserTests {
    private static let hasSudo = InstalledTool.path(of: "sudo") != nil

    /// A workspace with a store and a finished run that belongs to the user daemon.
    private func workspace() async throws -> Workspace {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await Binary.run(["run", "notice.yaml"], in: workspace, status: 0)
        try workspace.give(to: 1)
        return workspace
    }

    /// The last line of the output without its margin: a command to paste.
    private func lastLine(_ result: ChildProcess.Result) throws -> String {
        let line = try #require(result.complaints.split(separator: "\n").last)
        return String(line.drop { $0 == " " })
    }

    @Test(
        "The message names the store's owner, and the suggested command works",
        arguments: [["run", "notice.yaml"], ["runs"], ["report", "--output", "-"]])
    func messageNamesTheStoresOwnerAndTheSuggestedCommandWorks(arguments: [String]) async throws {
        let workspace = try await workspace()
        let result = try await Binary.run(arguments, in: workspace, status: 2)
        #expect(!result.complaints.contains("--store"), "\(result.complaints)")
        let line = try lastLine(result)
        let become = Self.hasSudo ? "sudo -u daemon " : "runuser -u daemon -- "
        #expect(line.contains(become), "\(line)")
        #expect(line.hasSuffix(arguments.joined(separator: " ")))
        // Sudo is not run, because it may ask for a password.
        let pasted = line.replacing(
            "sudo -u daemon", with: "setpriv --reuid=1 --regid=1 --clear-groups")
        try await Binary.start(["-c", pasted], of: "/bin/sh", in: workspace, from: "/").end(0)
    }

    @Test("A user without access to the folder gets the same message")
    func userWithoutAccessToTheFolderGetsTheSameMessage() async throws {
        let workspace = try await workspace()
        try workspace.setMode(0o755, of: "")
        let result = try await Binary.start(
            [
                "--reuid=2", "--regid=2", "--clear-groups", Binary.path, "run", "notice.yaml",
                "--store", workspace.file(".hubsend/store.sqlite"),
            ], of: "/usr/bin/setpriv", in: workspace
        ).end(2)
        #expect(result.complaints.contains("user daemon"), "\(result.complaints)")
        let become = Self.hasSudo ? "sudo -u daemon " : "su daemon -s /bin/sh -c '"
        #expect(result.complaints.contains(become), "\(result.complaints)")
    }

    @Test("Root creates no store in a user's folder, and the suggested command works")
    func rootCreatesNoStoreInAUsersFolderAndTheSuggestedCommandWorks() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try workspace.give(to: 1)
        let result = try await Binary.run(["run", "notice.yaml"], in: workspace)
        guard try !Container.isHere || Container.holds(workspace.path) else {
            // In a container, a folder mounted from the host may have any owner.
            #expect(result.status == 0, "\(result.complaints)")
            return
        }
        #expect(result.status == 2)
        #expect(result.complaints.contains("daemon could not use it"), "\(result.complaints)")
        #expect(try !workspace.listing().contains(".hubsend"))
        let pasted = try lastLine(result).replacing(
            "sudo -u daemon", with: "setpriv --reuid=1 --regid=1 --clear-groups")
        try await Binary.start(["-c", pasted], of: "/bin/sh", in: workspace, from: "/").end(0)
        try await Binary.run(
            ["run", "notice.yaml", "--store", "root/store.sqlite"], in: workspace, status: 0)
    }

    @Test("A user who finds a store of root sees both users' names")
    func userWhoFindsAStoreOfRootSeesBothUsersNames() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await Binary.run(["run", "notice.yaml"], in: workspace, status: 0)
        try workspace.give(["", "hubsend.yaml", "devices.yaml", "notice.yaml"], to: 1)
        let result = try await Binary.start(
            ["--reuid=1", "--regid=1", "--clear-groups", Binary.path, "run", "notice.yaml"],
            of: "/usr/bin/setpriv", in: workspace
        ).end(2)
        #expect(
            result.complaints.contains("belongs to the user root, not to you (daemon)"),
            "\(result.complaints)")
    }

    @Test("The doctor also shows the owner") func doctorAlsoShowsTheOwner() async throws {
        let result = try await Binary.run(["doctor"], in: workspace(), status: 2)
        #expect(result.output.contains("belongs to the user daemon"), "\(result.output)")
        let become = Self.hasSudo ? "sudo -u daemon " : "runuser -u daemon -- "
        #expect(result.output.contains(become), "\(result.output)")
    }
}
