import ArgumentParser

struct PayloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payload", abstract: "Lists, shows, revokes and purges stored payloads.",
        subcommands: [
            PayloadListCommand.self, PayloadShowCommand.self, PayloadRevokeCommand.self,
            PayloadPurgeCommand.self,
        ])
}
