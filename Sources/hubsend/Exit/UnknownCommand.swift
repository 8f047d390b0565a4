import ArgumentParser
import CampaignCore
import CampaignFormat
import Files
import Reports

/// A word that stands where a command is expected, and what was probably meant.
struct UnknownCommand {
    private let word: String
    /// The commands that lead to it, such as `hubsend payload`.
    private let path: [String]
    private let known: [String]

    /// Looks for it; nil when something else is wrong.
    ///
    /// - Parameter arguments: all that were given; the argument parser did not understand them.
    init?(in arguments: [String]) {
        var command: any ParsableCommand.Type = Hubsend.self
        var path = ["hubsend"]
        var rest = arguments[...]
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
        self.word = word
        self.path = path
        self.known = known
    }

    /// Says that there is no such command, and what there is.
    var failure: CommandEnd {
        if path.count == 1, let commands = commandsForFile {
            return CommandEnd(
                .configuration,
                "\"\(word)\" is no command; say what to do with it, such as:",
                details: commands.map { "  hubsend \($0) \(ShellWord.quoted(word))\n" }.joined())
        }
        let given = (path.dropFirst() + [word]).joined(separator: " ")
        let remedy =
            NearestName.nearest(to: word, among: known)
            .map { "Did you mean \"\((path + [$0]).joined(separator: " "))\"?" }
            ?? "Known are: \(known.joined(separator: ", "))."
        return CommandEnd(.configuration, "There is no command \"\(given)\". \(remedy)")
    }

    /// What can be done with a campaign file or a folder of them; nil for what looks like neither.
    private var commandsForFile: [String]? {
        if word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
            return ["validate", "preview", "run"]
        }
        do {
            switch try FileStatus(of: word).kind {
            case .folder: return ["validate", "preview"]
            case .regular: return ["validate", "preview", "run"]
            case .link, .special: return nil
            }
        } catch {
            return nil
        }
    }
}
