import CampaignCore
import FoundationEssentials

protocol JSONLine: Encodable, Sendable {}

extension JSONLine {
    /// UTF-8 with a line feed; keys are sorted, so equal values have equal bytes.
    func line() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        return Array(VisibleText.json(text).utf8) + [UInt8(ascii: "\n")]
    }
}
