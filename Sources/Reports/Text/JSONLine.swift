import CampaignCore
import FoundationEssentials

/// What a command prints for programs: JSON on one line.
package protocol JSONLine: Encodable, Sendable {}

extension JSONLine {
    /// The line with a line feed, in UTF-8; keys stand in alphabetical order, so that the same values are the same bytes.
    ///
    /// - Throws: what the encoder throws; the values here are texts and whole numbers, so nothing is expected.
    package func line() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        return Array(VisibleText.json(text).utf8) + [UInt8(ascii: "\n")]
    }
}
