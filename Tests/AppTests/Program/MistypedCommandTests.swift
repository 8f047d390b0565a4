import ArgumentParser
import ProcessControl
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct MistypedCommandTests {
    @Test(
        "For a mistyped command, the closest one is suggested",
        arguments: [
            (
                ["vaildate", "x"],
                #"There is no command "vaildate". Did you mean "hubsend validate"?"#
            ),
            (
                ["payload", "lsit"],
                #"There is no command "payload lsit". Did you mean "hubsend payload list"?"#
            ),
            (
                ["hub", "exce", "--", "true"],
                #"There is no command "hub exce". Did you mean "hubsend hub exec"?"#
            ),
            (
                ["runs", "welcome"],
                #"There is no command "runs welcome". To list the runs of a campaign: hubsend runs --campaign welcome"#
            ),
            (
                ["campaigns/welcome.yaml"],
                """
                "campaigns/welcome.yaml" is not a command. Say what to do with it, for example:
                  hubsend validate campaigns/welcome.yaml
                  hubsend preview campaigns/welcome.yaml
                  hubsend run campaigns/welcome.yaml
                """
            ),
        ] as [([String], String)])
    func forAMistypedCommandTheClosestOneIsSuggested(
        arguments: [String], answer: String
    ) async throws {
        _ = try await fault(of: arguments)
        let end = try #require(MistypedCommand.refusal(of: arguments))
        #expect(end.status == .configuration)
        #expect("\(end.sentence)\n\(end.details)" == answer + "\n")
    }

    /// Runs the whole program, which prints the suggestion on stderr.
    @Test("If a folder is given as the command, commands that take a folder are suggested")
    func ifAFolderIsGivenAsTheCommandCommandsThatTakeAFolderAre() async throws {
        let workspace = try Workspace(["a folder/x.txt": ""])
        let result = try await Binary.run(["a folder", "--verbose"], in: workspace, status: 2)
        #expect(result.output.isEmpty)
        #expect(
            result.complaints == """
                hubsend: "a folder" is not a command. Say what to do with it, for example:
                  hubsend validate 'a folder'
                  hubsend preview 'a folder'

                """)
    }

    @Test("If a file is given as the command, commands that take a file are suggested")
    func ifAFileIsGivenAsTheCommandCommandsThatTakeAFileAreSuggested() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "a campaign")
        let file = folder.file("a campaign")
        for (word, quoted) in [(file, "'\(file)'"), ("gone.yml", "gone.yml")] {
            let refusal = try #require(MistypedCommand.refusal(of: [word]))
            #expect(
                refusal.sentence
                    == "\"\(word)\" is not a command. Say what to do with it, for example:")
            #expect(
                refusal.details
                    == "  hubsend validate \(quoted)\n  hubsend preview \(quoted)\n  hubsend run \(quoted)\n"
            )
        }
    }

    @Test("For a word that resembles no command, the valid commands are listed")
    func forAWordThatResemblesNoCommandTheValidCommandsAreListed() async throws {
        _ = try await fault(of: ["zebra"])
        let end = try #require(MistypedCommand.refusal(of: ["zebra"]))
        #expect(
            end.sentence.hasPrefix(
                #"There is no command "zebra". Valid commands are: validate, preview, run, "#))
    }

    @Test(
        "For commands of other programs, those of hubsend are suggested",
        arguments: [
            ("send", "run"), ("status", "runs"), ("test", "preview"), ("list", "runs"),
            ("check", "validate"), ("lint", "validate"), ("start", "run"), ("cancel", "stop"),
            ("ls", "runs"), ("dry-run", "preview"), ("export-report", "report"),
            ("Send", "run"), ("backup", "store backup"), ("staus", "runs"), ("chekc", "validate"),
            ("histroy", "runs"),
        ])
    func forCommandsOfOtherProgramsThoseOfHubsendAreSuggested(word: String, command: String) throws
    {
        let end = try #require(MistypedCommand.refusal(of: [word, "x.yaml"]))
        #expect(
            end.sentence == #"There is no command "\#(word)". Did you mean "hubsend \#(command)"?"#)
    }

    @Test("Every suggested command exists") func everySuggestedCommandExists() throws {
        for command in MistypedCommand.synonyms.keys where !["help", "--version"].contains(command)
        {
            let words = command.split(separator: " ").map(String.init)
            #expect(MistypedCommand.refusal(of: words) == nil, "\(command)")
        }
        let words = MistypedCommand.synonyms.values.flatMap(\.self)
        #expect(Set(words).count == words.count, "each stands for one command")
    }

    @Test(
        "Asking for help about an unknown command causes an error",
        arguments: [["help", "vaildate"], ["vaildate", "--help"], ["help", "payload", "lsit"]])
    func askingForHelpAboutAnUnknownCommandCausesAnError(arguments: [String]) async throws {
        let result = try await Binary.run(arguments, in: Workspace(), status: 2)
        #expect(result.output.isEmpty)
        #expect(result.complaints.contains("Did you mean"), "\(result.complaints)")
    }

    /// The argument parser's error, in response to which the program searches for the closest
    /// command.
    private func fault(of arguments: [String]) async throws -> any Error {
        let fault = await #expect(throws: (any Error).self) {
            _ = try await Hubsend.asyncParseAsRoot(arguments)
        }
        let error = try #require(fault)
        #expect(Hubsend.exitCode(for: error) == .validationFailure)
        return error
    }

    @Test(
        "For a mistyped option, another is suggested, but never one that sends",
        arguments: [
            (["validate", "--fromat", "json"], ". Did you mean '--format'?"),
            (["hub", "--prot", "1"], ". Did you mean '--port'?"),
            (["payload", "list", "--limt", "1"], ". Did you mean '--limit'?"),
            (["run", "x.yaml", "--test"], ". Did you mean '--to'?"),
            (["run", "x.yaml", "--users", "alice"], ". Did you mean '--to'?"),
            (["preview", "x.yaml", "--rehearsal"], ". Did you mean '--to'?"),
            (["report", "--users", "alice"], ". Did you mean '--user'?"),
            (["run", "x.yaml", "--preview"], ". Did you mean '--dry-run'?"),
            (["run", "x.yaml", "--resend"], ". Did you mean '--again'?"),
            (
                ["run", "x.yaml", "--force"],
                ". There is no option to force anything; each error says"
            ),
            (["stop", "x", "--force"], ". There is no option to force anything; each error says"),
            (["run", "x.yaml", "--format", "json"], ". Did you mean '--json'?"),
            (["runs", "--json"], ". Did you mean '--format json'?"),
            (["payload", "list", "--json"], ". Did you mean '--format json'?"),
            (["report", "--json"], ". Did you mean '--format jsonl'?"),
            (["report", "--out=x.csv"], ". Did you mean '--output'?"),
            (["run", "x.yaml", "--hub", "x"], ". Set the hub in hubsend.yaml, or with"),
            (["run", "x.yaml", "--env=prod"], ". Set the hub in hubsend.yaml, or with"),
            (["run", "x.yaml", "--key", "k"], ". There are no options for secrets"),
            (["run", "x.yaml", "--platforms", "k"], ". Set this in the campaign file."),
            (["run", "x.yaml", "--agian"], ""), (["run", "x.yaml", "--yse"], ""),
            (["run", "x.yaml", "--nwo"], ""), (["run", "x.yaml", "--deu"], ""),
            (["stop", "x", "--fianl"], ""), (["stop", "x", "--revoek"], ""),
        ] as [([String], String)])
    func forAMistypedOptionAnotherIsSuggestedButNeverOneThatSends(
        arguments: [String], answer: String
    )
        async throws
    {
        let text = Hubsend.fullMessage(for: try await fault(of: arguments))
        #expect(MistypedCommand.refusal(of: arguments) == nil)
        let explained = MistypedCommand.explained(text, in: arguments)
        let option = try #require(arguments.last { $0.hasPrefix("--") }).prefix { $0 != "=" }
        #expect(
            explained.hasPrefix("Error: Unknown option '\(option)'\(answer)"), "\(explained)")
        #expect(!answer.isEmpty || !explained.contains("Did you mean"), "\(explained)")
    }

    @Test("For another program's option, hubsend's equivalent is suggested")
    func forAnotherProgramsOptionHubsendsEquivalentIsSuggested() async throws {
        let result = try await Binary.run(["run", "x.yaml", "--test"], in: Workspace(), status: 2)
        #expect(
            result.complaints.hasPrefix("Error: Unknown option '--test'. Did you mean '--to'?\n"),
            "\(result.complaints)")
    }

    @Test("The message about a duration that is too long names the longest")
    func messageAboutADurationThatIsTooLongNamesTheLongest() throws {
        #expect(try DurationArgument.read("366d") == .seconds(366 * 86_400))
        for text in ["367d", "999999d", "999999999999999d"] {
            let fault = #expect(throws: ValidationError.self) { try DurationArgument.read(text) }
            #expect(fault?.message.hasSuffix("; at most 366d") == true)
        }
    }

    @Test("If a folder is given as a campaign, the campaigns in it are suggested")
    func ifAFolderIsGivenAsACampaignTheCampaignsInItAreSuggested() async throws {
        var files = ["campaigns/compose.yaml": "services: {}\n"]
        for number in 1...7 { files["campaigns/c\(number).yaml"] = Campaigns.secure("c\(number)") }
        let workspace = try Workspace(files)
        let result = try await Binary.run(["run", "campaigns"], in: workspace, status: 2)
        #expect(result.output.isEmpty)
        let lines = result.complaints.split(separator: "\n")
        #expect(
            lines.first
                == "hubsend: \"campaigns\" is a folder, but this command takes campaign files. Name one of the files in it:"
        )
        for (line, number) in zip(lines.dropFirst(), 1...5) {
            #expect(line.hasSuffix(" \(Binary.path) run campaigns/c\(number).yaml"), "\(line)")
        }
        #expect(lines.count == 7 && lines.last == "  and 2 more")
    }
}
