#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The ID of a run: `YYYYMMDDTHHMMSSZ-[a-z2-7]{6}`.
///
/// IDs sort by start time.
package struct RunID: Hashable, Sendable, Comparable, CustomStringConvertible {
    private static let timeLength = 16
    private static let suffixLength = 6
    package static let length = timeLength + 1 + suffixLength

    package let text: String

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.length,
            bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"),
            bytes[16] == UInt8(ascii: "-"),
            (bytes[0..<8] + bytes[9..<15]).allSatisfy(\.isDigit),
            Base32.isWritten(text.suffix(Self.suffixLength), count: Self.suffixLength)
        else { return nil }
        self.text = text
    }

    /// Skips the check, for example for an id read from the store.
    package init(checked text: String) {
        self.text = text
    }

    package static func make(
        startingAt start: Date, using generator: inout some RandomNumberGenerator
    ) -> RunID {
        let time = start.formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: false)
                .timeZone(separator: .omitted).dateSeparator(.omitted).timeSeparator(.omitted))
        let suffix = Base32.random(count: suffixLength, using: &generator)
        return RunID(checked: "\(time)-\(suffix)")
    }

    package var description: String { text }

    package static func < (left: RunID, right: RunID) -> Bool { left.text < right.text }
}
