import ArgumentParser

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Backs up, checks, upgrades and re-encrypts the store.",
        subcommands: [
            StoreBackupCommand.self, StoreCheckCommand.self, StoreMigrateCommand.self,
            StoreRekeyCommand.self,
        ])
}
