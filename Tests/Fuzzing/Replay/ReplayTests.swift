import Foundation
import TestSupport
import Testing

/// Parses the inputs on which a parser once failed, and the seeds for fuzzing.
@Suite(.bounded)
struct ReplayTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("Every parser reads its seeds and past failures", arguments: Parser.allCases)
    func everyParserReadsItsSeedsAndPastFailures(_ parser: Parser) throws {
        for kind in ["Seeds", "Regressions"] {
            let place = Self.folder.appending(path: "\(kind)/\(parser.rawValue)")
            guard FileManager.default.fileExists(atPath: place.path) else {
                #expect(kind == "Regressions", "There are no seeds for \(parser).")
                continue
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
                parser.read(Array(try Data(contentsOf: place.appending(path: name))))
            }
        }
    }

    @Test("Every folder of fuzzing inputs belongs to a parser")
    func everyFolderOfFuzzingInputsBelongsToAParser() throws {
        for kind in ["Seeds", "Regressions"] {
            let place = Self.folder.appending(path: kind)
            for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
                #expect(Parser(rawValue: name) != nil, "No parser is called \(name).")
            }
        }
    }
}
