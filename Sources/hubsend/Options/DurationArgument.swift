import ArgumentParser
import CampaignFormat

/// A length of time on the command line: `30s`, `15m`, `2h`, `7d`.
enum DurationArgument {
    /// Reads an option's value.
    ///
    /// - Parameter argument: the value.
    /// - Returns: the time.
    /// - Throws: `ValidationError` saying what to write.
    static func read(_ argument: String) throws -> Duration {
        guard let duration = DurationText.parse(argument) else {
            throw ValidationError(
                "write a whole number from 1 with s, m, h or d, such as 10s or 5m")
        }
        return duration
    }
}
