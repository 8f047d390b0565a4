import ArgumentParser

/// `hubsend store`.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Backs the store up, checks it and brings it up to date.",
        subcommands: [
            StoreBackupCommand.self, StoreCheckCommand.self, StoreMigrateCommand.self,
        ])
}
