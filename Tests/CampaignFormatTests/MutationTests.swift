import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

/// Tests with randomly damaged files that reading always ends and reports where the problem is.
@Suite(.bounded) struct MutationTests {
    private static let pieces: [[UInt8]] =
        [
            "\"", "'", "{{", "}}", "[", "]", "{", "}", ":", ": ", "- ", "\n", "\r\n", "\t", "#",
            "&a ",
            "*a", "|", ">", "%", "~", ",", "\"\"", "\u{FEFF}", "é", "usernames", "999999999999",
            "-1",
        ].map { Array($0.utf8) } + [[0x00], [0xFF], [0xC3], [0xED, 0xA0, 0x80]]

    private func damaged(_ bytes: [UInt8], with random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...6, using: &random))
            let piece = Self.pieces.randomElement(using: &random) ?? []
            bytes.replaceSubrange(place..<end, with: piece)
        }
        return bytes
    }

    /// With the two seeds, each piece is used about twenty times.
    @Test("A damaged campaign is either read or explained", arguments: UInt64(1)...2)
    func damagedCampaignIsEitherReadOrExplained(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        for name in ["people/team.txt", "people/loyalty.csv"] {
            try folder.write(Fixtures.text("campaigns/" + name), to: name)
        }
        try folder.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], to: "files/logo.png")
        let original = Array(try Fixtures.text("campaigns/good-full.yaml").utf8)
        var random = SeededGenerator(seed: seed)
        var good = 0
        for _ in 0..<120 {
            let bytes = damaged(original, with: &random)
            let lines = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 2
            let path = try folder.write(bytes, to: "campaign.yaml")
            let loaded = try CampaignFile.read(path)
            good += loaded.campaign == nil ? 0 : 1
            #expect((loaded.campaign == nil) == loaded.diagnostics.hasErrors)
            #expect(loaded.diagnostics == loaded.diagnostics.sorted())
            for diagnostic in loaded.diagnostics where diagnostic.file == path {
                #expect((1...lines).contains(diagnostic.range.line))
                #expect(diagnostic.range.column >= 1)
                #expect(diagnostic.range.endLine >= diagnostic.range.line)
            }
            #expect(!TextDiagnosticRenderer().render(loaded.diagnostics).contains("\u{1B}"))
        }
        #expect((1..<120).contains(good), "The damage must neither be harmless nor total.")
    }

    @Test("A damaged table is either read or explained", arguments: UInt64(11)...12)
    func damagedTableIsEitherReadOrExplained(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let rows = (0..<40).map { "person-\($0),\"Name \"\"\($0)\"\"\",Rome" }
        let original = Array((["username,name,city"] + rows).joined(separator: "\n").utf8)
        var random = SeededGenerator(seed: seed)
        let file = AudienceFile(path: "p.csv", shownPath: "p.csv", number: 1, allowsEmpty: false)
        for _ in 0..<150 {
            let bytes = damaged(original, with: &random)
            try folder.write(bytes, to: "p.csv")
            let check = AudienceFileCheck(file, in: folder.audienceFolders)
            #expect(check.people <= 60)
            #expect(check.people >= 30 || !check.diagnostics.isEmpty)
            let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
            #expect(check.diagnostics.allSatisfy { (1...lines).contains($0.range.line) })
        }
    }
}
