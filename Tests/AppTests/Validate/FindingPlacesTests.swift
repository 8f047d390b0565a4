import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct FindingPlacesTests {
    private static func workspace() throws -> Workspace {
        func campaign(_ name: String, files: String, message: String) -> String {
            """
            campaign: \(name)
            kind: alert
            platforms: [apns, fcm, wns, adm, browser]
            audience: { files: [\(files)] }
            payload: { message: "\(message)" }

            """
        }
        return try Workspace([
            "repo/.git/HEAD": "",
            "repo/push/hubsend.yaml": "hub: { local: devices.yaml }\nstoer: a\n",
            "repo/push/gaps/hubsend.yaml": "hub: { local: devices.yaml }\n",
            "repo/push/gaps/one.yaml": campaign(
                "one", files: "gaps.csv", message: "{{first}} {{last}}"),
            "repo/push/gaps/gaps.csv": "username,first,last\nalice,,\n",
            "repo/push/gaps/long.yaml": campaign(
                "long", files: "people.txt", message: String(repeating: "x", count: 7_000)),
            "repo/push/gaps/people.txt": "alice\n",
            "repo/push/gaps/same.yaml": campaign("one", files: "people.txt", message: "Hello"),
            "repo/push/gaps/loyal.yaml": campaign(
                "loyal", files: "\"export:loyalty.csv\"", message: "Hello"),
            "repo/push/gaps/link.yaml": "",
            "exports/loyalty.csv": "username\nalice\nbob smith\ncarol jones\n",
            "elsewhere/README": "",
        ])
    }

    private static func report(
        _ format: String, from folder: String, paths: [String], in workspace: Workspace
    ) async throws -> String {
        let result = try await Binary.run(
            ["validate", "--format", format] + paths, in: workspace, from: folder,
            environment: ["HUBSEND_AUDIENCES": workspace.file("exports")], status: 1)
        return result.output
    }

    /// Creates the file with a mode that does not let others write it.
    private static func make(_ workspace: Workspace) throws {
        try FileManager.default.removeItem(atPath: workspace.file("repo/push/gaps/link.yaml"))
        try workspace.link("repo/push/gaps/link.yaml", to: workspace.file("elsewhere/README"))
    }

    @Test(
        "Reports for services contain no absolute paths",
        arguments: ["sarif", "junit", "github"])
    func reportsForServicesContainNoAbsolutePaths(format: String) async throws {
        let workspace = try Self.workspace()
        try Self.make(workspace)
        let reports = [
            try await Self.report(format, from: "repo", paths: ["push/gaps"], in: workspace),
            try await Self.report(format, from: "repo/push/gaps", paths: [], in: workspace),
            try await Self.report(
                format, from: "elsewhere", paths: [workspace.file("repo/push/gaps")], in: workspace),
        ]
        #expect(Set(reports).count == 1)
        let report = reports[0]
        #expect(!report.contains(workspace.path), "\(report)")
        #expect(!report.contains("file:/"))
        #expect(report.contains("push/gaps/long.yaml") && !report.contains("../e"))
        // The line of the campaign that names the export.
        #expect(report.contains("export:loyalty.csv:3:1: The username"))
        #expect(report.contains("repo/") == false)
    }

    @Test("Findings in a config outside the repository contain no absolute paths")
    func findingsInAConfigOutsideTheRepositoryContainNoAbsolutePaths() async throws {
        let workspace = try Self.workspace()
        try workspace.write("hub: { local: devices.yaml }\nstoer: a\n", to: "etc/hubsend.yaml")
        for format in ["sarif", "junit", "github"] {
            let result = try await Binary.run(
                ["validate", "--format", format, "--config", "../etc/hubsend.yaml", "push/gaps"],
                in: workspace, from: "repo", status: 1)
            #expect(result.output.contains("hubsend.yaml:2:1: There is no key"), "\(result)")
            #expect(!result.output.contains("etc/"))
        }
    }

    @Test("The test cases of a JUnit report are distinct")
    func testCasesOfAJUnitReportAreDistinct() async throws {
        let workspace = try Self.workspace()
        let report = try await Self.report(
            "junit", from: "repo", paths: ["push/gaps"], in: workspace)
        let cases = report.matches(of: /<testcase (name=".*?" classname=".*?") file="(.*?)"/)
        #expect(cases.count >= 12)
        #expect(Set(cases.map(\.1)).count == cases.count, "\(report)")
        for test in cases { #expect(test.2.hasPrefix("push/gaps/")) }
        #expect(
            report.contains("tests=\"\(cases.count)\""), "the number of all cases stands at the top"
        )
    }
}
