import ArgumentParser
import CampaignCore

extension RunID: ExpressibleByArgument {
    /// Reads a run's id from the command line.
    public init?(argument: String) {
        self.init(argument)
    }
}

extension Username: ExpressibleByArgument {
    /// Reads a username from the command line.
    public init?(argument: String) {
        do {
            try self.init(argument)
        } catch {
            return nil
        }
    }
}

extension Occurrence: ExpressibleByArgument {
    /// Reads an occurrence's key from the command line.
    public init?(argument: String) {
        self.init(key: argument)
    }
}
