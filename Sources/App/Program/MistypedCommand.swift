import ArgumentParser
import ProcessControl

/// Says what a command or option was probably meant to be.
enum MistypedCommand {
    /// How a command with such a word ends, also after `help`; nil if something else is wrong.
    static func end(in arguments: [String]) -> CommandEnd? {
        let (command, path, rest) = command(in: arguments)
        let known = command.configuration.subcommands.map { $0._commandName }
        guard let word = rest.first, !word.isEmpty, !word.hasPrefix("-"), word != "help",
            !known.isEmpty
        else { return nil }
        let unknown = UnknownCommand(word, behind: path, among: known)
        return CommandEnd(.configuration, unknown.sentence, details: unknown.details)
    }

    /// The parser's message, with what an unknown option probably stands for.
    ///
    /// The parser itself offers options that only have a few letters in common.
    static func explained(_ message: String, in arguments: [String]) -> String {
        let (command, path, _) = command(in: arguments)
        let known = Hubsend.helpMessage(for: command)
            .matches(of: /(?m)^  (?:-\w, )?(--[\w-]+)/).map { String($0.1) }
        let unknown =
            /(?<fault>Unknown option '(?<option>--?[^'=\s]+)')(?:\. Did you mean '[^']*'\?)?/
        return message.replacing(unknown) { match in
            let option = UnknownOption(String(match.option), of: path.last ?? "", among: known)
            return match.fault + (option.remedy.map { ". \($0)" } ?? "")
        }
    }

    private static func command(
        in arguments: [String]
    ) -> (command: any ParsableCommand.Type, path: [String], rest: ArraySlice<String>) {
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
        return (command, path, rest)
    }
}
