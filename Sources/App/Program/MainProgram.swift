import ArgumentParser
import Files
import Foundation
import ProcessControl

/// Parses and runs a command, and turns every error into a sentence and an exit code.
package enum MainProgram {
    /// Runs the command that the process was started with, and returns its exit code.
    package static func run() async -> Int32 {
        StandardStreams.keepNumbers()
        SignalWatch.endFirstProcess()
        // Without a handler, a write beyond the file size limit would end the process. The programs
        // that hubsend starts would inherit an ignored signal, but not a handler.
        signal(SIGXFSZ) { _ in }
        // Core dumps would write the keys and payloads in memory to the disk.
        if !ProcessMemory.keepPrivate() {
            Console.complain(
                "hubsend: warning: core dumps could not be disabled; a core dump would contain hubsend's keys"
            )
        }
        // More heaps would use more memory for a large audience without making anything faster.
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
            // `hubsend` and `hubsend payload` alone only show help, and the doctor itself reports
            // problems with variables.
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

    /// Prints help and version on stdout and usage errors on stderr.
    private static func explain(_ error: any Error) -> ExitStatus {
        let code = Hubsend.exitCode(for: error)
        let message = Hubsend.fullMessage(for: error)
        // When asked for help about an unknown command, the parser shows the general help.
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
