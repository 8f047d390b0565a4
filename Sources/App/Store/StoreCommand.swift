import ArgumentParser

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Backs the store up, checks it, brings it up to date and exchanges its key.",
        subcommands: [
            StoreBackupCommand.self, StoreCheckCommand.self, StoreMigrateCommand.self,
            StoreRekeyCommand.self,
        ])
}
