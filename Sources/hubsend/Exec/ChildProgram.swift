import Foundation
import Subprocess
import SystemPackage
import UnixSignals

/// A program that runs in the place of this one: with its terminal and its standard streams, and
/// its signals.
struct ChildProgram: Sendable {
    /// How long a wait may be that only the program's end ends.
    private static let ages = Duration.seconds(3_153_600_000)

    let program: Program
    let environment: Environment
    /// Signals that it ignores from its start on, as under nohup; all others act as by default.
    var ignoredSignals: [UnixSignal] = []
    /// How long it may take to end after a signal before it is killed.
    var grace: Duration = .seconds(10)
    /// Whether the terminal's keys signal it without our doing.
    var isForeground: @Sendable () -> Bool = { ControllingTerminal.signalsOurGroup }

    /// Runs it to its end; when the task is cancelled, it is ended by SIGTERM, and killed after the
    /// grace.
    ///
    /// It gets the descriptors 0 to 2 and no others, and signals as they are by default. What it
    /// leaves running in the background is not waited for.
    ///
    /// - Parameter signals: the signals that come for it.
    /// - Returns: its exit code; 128 and the number for a signal that ended it.
    /// - Throws: ``ProgramNotStarted``.
    func run(_ signals: AsyncStream<Int32>) async throws -> Int32 {
        let start = start
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: grace)]
        do {
            let result = try await Subprocess.run(
                .path(SystemPackage.FilePath(start.path)),
                arguments: Arguments(
                    executablePathOverride: start.name, remainingValues: start.arguments),
                environment: environment, platformOptions: options,
                input: .currentStandardInput, output: .currentStandardOutput,
                error: .currentStandardError
            ) { execution in
                await look(after: execution, signals)
            }
            return switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let signal): 128 + signal
            }
        } catch let error as SubprocessError {
            throw failure(error)
        }
    }

    /// What is started: the program, or a shell that ignores signals and becomes it, since a new
    /// process ignores none.
    private var start: (path: String, name: String, arguments: [String]) {
        guard !ignoredSignals.isEmpty else {
            return (program.path, program.name, program.arguments)
        }
        let numbers = ignoredSignals.map { String($0.rawValue) }.joined(separator: " ")
        let script = "trap '' \(numbers); exec \"$0\" \"$@\""
        return ("/bin/sh", "sh", ["-c", script, program.path] + program.arguments)
    }

    /// Hands signals on until the program has ended.
    private func look<Input, Output, Failure>(
        after execution: Execution<Input, Output, Failure>, _ signals: AsyncStream<Int32>
    ) async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await relay(signals, to: execution) }
            // Signal 0 does nothing to the program (kill(2)); what is left of the teardown is the
            // wait for its end.
            await execution.teardown(using: [
                .send(signal: Signal(rawValue: 0), allowedDurationToNextStep: Self.ages)
            ])
            tasks.cancelAll()
        }
    }

    private func relay<Input, Output, Failure>(
        _ signals: AsyncStream<Int32>, to execution: Execution<Input, Output, Failure>
    ) async {
        var relay = SignalRelay()
        await withTaskGroup(of: Void.self) { graces in
            for await signal in signals {
                switch relay.step(for: signal, isForeground: isForeground()) {
                case .leave: break
                case .forward(let signal): send(signal, to: execution)
                case .end(let signal):
                    send(signal, to: execution)
                    graces.addTask {
                        do {
                            try await Task.sleep(for: grace)
                        } catch {
                            // It has ended in time.
                            return
                        }
                        let time = Durations.text(seconds: grace / .seconds(1))
                        Console.complain(
                            "hubsend: The command did not end within \(time) and was killed.")
                        send(SIGKILL, to: execution)
                    }
                case .kill: send(SIGKILL, to: execution)
                }
            }
        }
    }

    private func send<Input, Output, Failure>(
        _ signal: Int32, to execution: Execution<Input, Output, Failure>
    ) {
        do {
            try execution.send(signal: Signal(rawValue: signal))
        } catch {
            guard error.underlyingError != .noSuchProcess else { return }
            let why = error.underlyingError.map { SystemError.text($0.rawValue) } ?? "\(error)"
            Console.complain(
                "hubsend: The command could not be sent signal \(signal): \(why).")
        }
    }

    private func failure(_ error: SubprocessError) -> any Error {
        switch error.code {
        case .executableNotFound:
            // The file was there a moment ago, so that it is its interpreter which is not.
            ProgramNotStarted(
                .notExecutable, program.name,
                "the program that its first line names after #! is not there.")
        case .spawnFailed where error.underlyingError == .execFormatError:
            ProgramNotStarted(
                .notExecutable, program.name,
                "it is no program of this system; a script needs a first line such as #!/bin/sh")
        case .spawnFailed:
            ProgramNotStarted(
                .notExecutable, program.name,
                error.underlyingError.map { SystemError.text($0.rawValue) + "." } ?? "\(error)")
        default: error
        }
    }
}
