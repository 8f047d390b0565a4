import Files
import Foundation
import TestSupport
import Testing

/// Root and colleagues are not led to a second store, which would not know who was sent what.
@Suite(.bounded, .enabled(if: geteuid() == 0 && InstalledTool.areThere("setpriv")))
struct OtherUserTests {
    private static let hasSudo = InstalledTool.path(of: "sudo") != nil
    private static let owner = (name: "daemon", number: 1 as UInt32)

    /// A workspace with a store and a finished run, owned by another user.
    private func workspace() async throws -> Workspace {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let run = try await Binary.run(["run", "notice.yaml"], in: workspace)
        #expect(run.status == 0, "\(run.complaints)")
        for path in try [""] + workspace.listing() {
            let isGiven =
                unsafe chown(
                    workspace.file(path), Self.owner.number, Self.owner.number) == 0
            #expect(isGiven)
        }
        return workspace
    }

    /// The last line of the output, a command to paste, without its margin.
    private func lastLine(_ result: ChildProcess.Result) throws -> String {
        let line = try #require(result.complaints.split(separator: "\n").last)
        return String(line.drop { $0 == " " })
    }

    @Test(arguments: [["run", "notice.yaml"], ["runs"], ["report", "--output", "-"]])
    func theOwnerIsNamedAndTheLineCanBePasted(arguments: [String]) async throws {
        let workspace = try await workspace()
        let result = try await Binary.run(arguments, in: workspace)
        #expect(result.status == 2)
        #expect(!result.complaints.contains("--store"), "\(result.complaints)")
        let line = try lastLine(result)
        let become = Self.hasSudo ? "sudo -u daemon " : "runuser -u daemon -- "
        #expect(line.contains(become), "\(line)")
        #expect(line.hasSuffix(arguments.joined(separator: " ")))
        // Sudo may ask for a password.
        let pasted = line.replacing(
            "sudo -u daemon", with: "setpriv --reuid=1 --regid=1 --clear-groups")
        let again = try await Binary.start(["-c", pasted], of: "/bin/sh", in: workspace, from: "/")
            .result()
        #expect(again.status == 0, "\(pasted): \(again.complaints)")
    }

    @Test func somebodyWhoMayNotEnterItsFolderIsToldTheSame() async throws {
        let workspace = try await workspace()
        let isOpen = unsafe chmod(workspace.path, 0o755) == 0
        #expect(isOpen)
        let result = try await Binary.start(
            [
                "--reuid=2", "--regid=2", "--clear-groups", Binary.path, "run", "notice.yaml",
                "--store", workspace.file(".hubsend/store.sqlite"),
            ], of: "/usr/bin/setpriv", in: workspace
        ).result()
        #expect(result.status == 2)
        #expect(result.complaints.contains("user daemon"), "\(result.complaints)")
        let become = Self.hasSudo ? "sudo -u daemon " : "su daemon -s /bin/sh -c '"
        #expect(result.complaints.contains(become), "\(result.complaints)")
    }

    @Test("Root makes no store in a user's folder, and the line for that user can be pasted")
    func foreignFolder() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        for path in try [""] + workspace.listing() {
            let isGiven = unsafe chown(workspace.file(path), 1, 1) == 0
            #expect(isGiven)
        }
        let result = try await Binary.run(["run", "notice.yaml"], in: workspace)
        guard try !Container.isHere || Container.holds(workspace.path) else {
            // The folder of another machine is anybody's in a container.
            #expect(result.status == 0, "\(result.complaints)")
            return
        }
        #expect(result.status == 2)
        #expect(result.complaints.contains("daemon could not use it"), "\(result.complaints)")
        #expect(try !workspace.listing().contains(".hubsend"))
        let pasted = try lastLine(result).replacing(
            "sudo -u daemon", with: "setpriv --reuid=1 --regid=1 --clear-groups")
        let again = try await Binary.start(["-c", pasted], of: "/bin/sh", in: workspace, from: "/")
            .result()
        #expect(again.status == 0, "\(pasted): \(again.complaints)")
        let named = try await Binary.run(
            ["run", "notice.yaml", "--store", "root/store.sqlite"], in: workspace)
        #expect(named.status == 0, "\(named.complaints)")
    }

    @Test("A user who meets root's store reads both names")
    func rootsStore() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let run = try await Binary.run(["run", "notice.yaml"], in: workspace)
        #expect(run.status == 0, "\(run.complaints)")
        for path in ["", "hubsend.yaml", "devices.yaml", "notice.yaml"] {
            let isGiven = unsafe chown(workspace.file(path), 1, 1) == 0
            #expect(isGiven)
        }
        let result = try await Binary.start(
            ["--reuid=1", "--regid=1", "--clear-groups", Binary.path, "run", "notice.yaml"],
            of: "/usr/bin/setpriv", in: workspace
        ).result()
        #expect(result.status == 2)
        #expect(
            result.complaints.contains("belongs to the user root, not to you (daemon)"),
            "\(result.complaints)")
    }

    @Test func theDoctorNamesTheOwnerToo() async throws {
        let result = try await Binary.run(["doctor"], in: workspace())
        #expect(result.status == 2)
        #expect(result.output.contains("belongs to the user daemon"), "\(result.output)")
        let become = Self.hasSudo ? "sudo -u daemon " : "runuser -u daemon -- "
        #expect(result.output.contains(become), "\(result.output)")
    }
}
