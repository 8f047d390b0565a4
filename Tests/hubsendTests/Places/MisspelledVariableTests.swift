import Foundation
import TestSupport
import Testing

@testable import hubsend

/// A slip in a variable's name chooses no other hub.
@Suite(.bounded) struct MisspelledVariableTests {
    @Test func aSlipInTheNameOfAVariableIsRefused() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let before = try workspace.listing()
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: [
                "HUBSEND_HUB_CONECTION_STRING": "x", "HUBSEND_PAYLOAD_KEYFILE": "key",
                "HUBSEND_COLOR": "blue",
            ])
        #expect(result.status == 2)
        #expect(
            result.complaints
                == "hubsend: There is no variable HUBSEND_HUB_CONECTION_STRING; did you mean HUBSEND_HUB_CONNECTION_STRING? "
                + "There is no variable HUBSEND_PAYLOAD_KEYFILE; did you mean HUBSEND_PAYLOAD_KEY_FILE?\n"
        )
        #expect(try workspace.listing() == before)
    }

    @Test(arguments: [
        ("HUBSEND_HUB_CONNECTION_STRING_FIEL", "HUBSEND_HUB_CONNECTION_STRING_FILE"),
        ("HUBSEND_CONNECTION_STRING", "HUBSEND_HUB_CONNECTION_STRING"),
        ("HUBSEND_HUB_NAMES", "HUBSEND_HUB_NAME"), ("HUBSEND_hub_name", "HUBSEND_HUB_NAME"),
        ("HUBSEND_DEVICE_PASSWD", "HUBSEND_DEVICE_PASSWORD"), ("HUBSEND_STOER", "HUBSEND_STORE"),
        ("HUBSEND_HUB_ID", nil), ("HUBSEND_HUB_TAG", nil), ("HUBSEND_STATE", nil),
        ("HUBSEND_DEVICE_ROLE", nil), ("HUBSEND_", nil), ("HUBSEND_HUB_", nil),
        ("HUBSEND_HUB_NAME", nil), ("HUBSENT_STORE", nil), ("STORE", nil),
    ])
    func whatIsNearNoneOfOursIsLeftAlone(name: String, meant: String?) {
        #expect(OwnVariables.meant(by: name) == meant)
    }

    @Test func everyVariableThatTheSourceOrTheManualNamesIsKnown() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../..").standardizedFileURL
        let source = root.appendingPathComponent("Sources/hubsend")
        let files = try #require(FileManager.default.subpaths(atPath: source.path))
        var lines: [String] = []
        for file in files where file.hasSuffix(".swift") {
            lines += try Self.lines(of: source.appendingPathComponent(file)).filter {
                !$0.drop { $0 == " " }.hasPrefix("//")
            }
        }
        let named = Self.names(in: lines)
        #expect(named.count > 12)
        var documented: Set<String> = []
        for page in ["hubsend.1", "hubsend-hub.1"] {
            documented.formUnion(
                Self.names(
                    in: try Self.lines(of: root.appendingPathComponent("man/\(page)"))
                        .filter { $0.hasPrefix(".It Ev ") }))
        }
        #expect(documented.count > 12)
        let known = Set(OwnVariables.names)
        #expect(named.union(documented).subtracting(known) == [])
        let endings = ["_FILE", "_COMMAND"]
        let plain = known.filter { name in !endings.contains(where: name.hasSuffix) }
        #expect(plain.subtracting(documented) == [])
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private static func names(in lines: [String]) -> Set<String> {
        Set(lines.flatMap { $0.matches(of: /HUBSEND_[A-Z_]+/).map { String($0.0) } })
    }
}
