import ArgumentParser
import CampaignOperations
import ProcessControl

/// Finds the word that the argument parser did not understand, where a command was expected.
enum MistypedCommand {
    /// How the command ends that begins with such a word, also after `help`; nil when something else is wrong.
    ///
    /// - Parameter arguments: all that were given.
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
