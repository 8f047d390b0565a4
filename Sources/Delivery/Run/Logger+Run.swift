package import CampaignCore
package import Logging

extension Logger {
    /// A logger that adds the run's ID to every line.
    package func of(_ run: RunID) -> Logger {
        var logger = self
        logger[metadataKey: "run"] = "\(run)"
        return logger
    }
}
