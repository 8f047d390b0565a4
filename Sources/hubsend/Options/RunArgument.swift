import ArgumentParser
import CampaignCore

extension RunID: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}

extension Username: ExpressibleByArgument {
    public init?(argument: String) {
        do {
            try self.init(argument)
        } catch {
            return nil
        }
    }
}

extension Occurrence: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(key: argument)
    }
}
