import ArgumentParser
import CampaignOperations
import ProcessControl

/// Finds the word that the argument parser did not understand in place of a command.
enum MistypedCommand {
    /// How a command with such a word ends, also after `help`; nil if something else is wrong.
    static func end(in arguments: [String]) -> CommandEnd? {
        var command: any ParsableCommand.Type = Hubsend.self
        var path = ["hubsend"]
        var rest = arguments.drop { $0 == "help" }
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            command = next
            path.append(word)
            rest.removeFirst()
        }
        let known = command.configuration.subcommands.map { $0._commandName }
        guard let word = rest.first, !word.isEmpty, !word.hasPrefix("-"), word != "help",
            !known.isEmpty
        else { return nil }
        let unknown = UnknownCommand(word, behind: path, among: known)
        return CommandEnd(.configuration, unknown.sentence, details: unknown.details)
    }
}
