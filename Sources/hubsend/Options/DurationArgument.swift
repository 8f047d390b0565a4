import ArgumentParser
import CampaignFormat

/// A length of time on the command line: `30s`, `15m`, `2h`, `7d`.
struct DurationArgument: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        guard let duration = DurationText.parse(argument) else { return nil }
        self.duration = duration
    }
}
