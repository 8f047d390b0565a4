import ArgumentParser
import Files
import Foundation
import ProcessControl

/// Parses, runs, and turns whatever happened into a sentence and an exit code.
package enum MainProgram {
    /// The exit code of the command that the process was started with.
    package static func run() async -> Int32 {
        StandardStreams.keepNumbers()
        SignalWatch.endFirstProcess()
        // A file that may not grow is then an error of its write, and not the end of the process.
        // Programs that hubsend starts get their own end back, as they would not if it were ignored.
        signal(SIGXFSZ) { _ in }
        // Memory holds keys and payloads, and a core dump would put them on the disk.
        if !ProcessMemory.keepPrivate() {
            Console.complain(
                "hubsend: warning: the system does not let hubsend forbid core dumps, which would hold its keys"
            )
        }
        // Another heap would retain the memory of a large audience, and nothing here needs more.
        ProcessMemory.limitHeaps(to: 2)
        return await code()
    }

    private static func code() async -> Int32 {
        do {
            var command = try await Hubsend.asyncParseAsRoot()
            guard var asynchronous = command as? any AsyncParsableCommand else {
                try command.run()
                return ExitStatus.done.rawValue
            }
            // The first two only show their help without a subcommand; the doctor reports on
            // variables itself.
            if !(command is Hubsend), !(command is PayloadCommand), !(command is DoctorCommand) {
                let invocation = Invocation.current()
                try invocation.refuseEmptyVariables()
                try invocation.refuseMisspelledVariables()
            }
            try OpenFiles.requireFewest()
            try await asynchronous.run()
            return ExitStatus.done.rawValue
        } catch let refusal as any Refusal {
            return Console.complain(refusal).rawValue
        } catch {
            return explain(error).rawValue
        }
    }

    /// Help and version go to stdout, usage errors to stderr.
    private static func explain(_ error: any Error) -> ExitStatus {
        let code = Hubsend.exitCode(for: error)
        let message = Hubsend.fullMessage(for: error)
        // For help about an unknown command the parser shows the general help.
        if code == .success || code == .validationFailure,
            let refusal = MistypedCommand.refusal(of: Array(CommandLine.arguments.dropFirst()))
        {
            return Console.complain(refusal)
        }
        if code == .success {
            let isVersion = message == Hubsend.configuration.version
            do {
                try Console.output(
                    isVersion
                        ? VersionText.text(askedBy: CommandLine.arguments)
                        : message.isEmpty ? "" : message + "\n")
                return .done
            } catch {
                return Console.complain(error)
            }
        }
        if code == .validationFailure {
            let explained = MistypedCommand.explained(
                message, in: Array(CommandLine.arguments.dropFirst()))
            Console.notice(UsageText.visible(explained, given: CommandLine.arguments) + "\n")
            return .configuration
        }
        return Console.complain(error)
    }
}
