import CampaignCore
import Files
import Glibc
package import Subprocess
import SystemPackage
package import UnixSignals

/// A program that runs in place of this one, with its terminal, standard streams and signals.
package struct ChildProgram: Sendable {
    package enum Trouble: Hashable, Sendable, CustomStringConvertible {
        /// The program did not finish within the grace period and was killed.
        case killed(after: Duration)
        /// A signal could not be passed on.
        case signalNotSent(Int32, why: String)

        package var description: String {
            switch self {
            case .killed(let grace):
                "The command did not finish within \(Durations.text(seconds: grace / .seconds(1))) and was killed."
            case .signalNotSent(let signal, let why):
                "Signal \(signal) could not be sent to the command: \(why)."
            }
        }
    }

    /// A time that is longer than any program runs; used to wait for the end without a limit.
    private static let ages = Duration.seconds(3_153_600_000)

    private let program: Program
    private let environment: Environment
    private let ignoredSignals: [UnixSignal]
    private let grace: Duration
    private let isForeground: @Sendable () -> Bool
    private let onTrouble: @Sendable (Trouble) -> Void

    /// `isForeground` says whether the terminal itself signals the program; if it is nil, the
    /// terminal is asked.
    package init(
        program: Program, environment: Environment, ignoredSignals: [UnixSignal] = [],
        grace: Duration = .seconds(10), isForeground: (@Sendable () -> Bool)? = nil,
        onTrouble: @escaping @Sendable (Trouble) -> Void
    ) {
        self.program = program
        self.environment = environment
        self.ignoredSignals = ignoredSignals
        self.grace = grace
        self.isForeground = isForeground ?? { ControllingTerminal.signalsOurGroup }
        self.onTrouble = onTrouble
    }

    /// Runs the program; returns its exit code, or 128 plus the number of the signal that ended it.
    ///
    /// Cancelling the task sends SIGTERM and, after the grace period, kills the program. The
    /// program gets only descriptors 0 to 2 and default signal handling. On a terminal it shares
    /// the process group, as job control requires. Otherwise, it has its own process group, so that
    /// signals reach all processes that it started, and all of them have ended on return.
    /// Background processes that have left the group are not waited for.
    package func run(_ signals: AsyncStream<Int32>) async throws -> Int32 {
        let start = start
        let hasOwnGroup = !isForeground()
        var options = PlatformOptions()
        if hasOwnGroup { options.processGroupID = 0 }
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: hasOwnGroup, allowedDurationToNextStep: grace)
        ]
        do {
            let result = try await Subprocess.run(
                .path(FilePath(start.path)),
                arguments: Arguments(
                    executablePathOverride: start.name, remainingValues: start.arguments),
                environment: environment, platformOptions: options,
                input: .currentStandardInput, output: .currentStandardOutput,
                error: .currentStandardError
            ) { execution in
                await passSignals(after: execution, signals, hasOwnGroup: hasOwnGroup)
            }
            if hasOwnGroup, result.closureResult || Task.isCancelled {
                await ProcessGroup(leader: result.processIdentifier.value).end(within: grace)
            }
            return switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let signal): 128 + signal
            }
        } catch let error as SubprocessError {
            throw failure(error)
        }
    }

    /// The program to start.
    ///
    /// If signals must be ignored, this is a shell that ignores them and then replaces itself with
    /// the program, because a new process ignores no signals.
    private var start: (path: String, name: String, arguments: [String]) {
        guard !ignoredSignals.isEmpty else {
            return (program.path, program.name, program.arguments)
        }
        let numbers = ignoredSignals.map { String($0.rawValue) }.joined(separator: " ")
        let script = "trap '' \(numbers); exec \"$0\" \"$@\""
        return ("/bin/sh", "sh", ["-c", script, program.path] + program.arguments)
    }

    /// Passes signals on until the program has ended.
    private func passSignals<Input, Output, Failure>(
        after execution: Execution<Input, Output, Failure>, _ signals: AsyncStream<Int32>,
        hasOwnGroup: Bool
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { tasks in
            tasks.addTask { await relay(signals, to: execution, hasOwnGroup: hasOwnGroup) }
            // Signal 0 does nothing (kill(2)), so only the teardown's wait for the end remains.
            await execution.teardown(using: [
                .send(signal: Signal(rawValue: 0), allowedDurationToNextStep: Self.ages)
            ])
            tasks.cancelAll()
            return await tasks.next() ?? false
        }
    }

    private func relay<Input, Output, Failure>(
        _ signals: AsyncStream<Int32>, to execution: Execution<Input, Output, Failure>,
        hasOwnGroup: Bool
    ) async -> Bool {
        var relay = SignalRelay()
        await withTaskGroup(of: Void.self) { graces in
            for await signal in signals {
                let isForeground = !hasOwnGroup && isForeground()
                switch relay.step(for: signal, isForeground: isForeground) {
                case .leave: break
                case .forward(let signal): send(signal, to: execution, hasOwnGroup)
                case .end(let signal):
                    send(signal, to: execution, hasOwnGroup)
                    graces.addTask {
                        do {
                            try await Task.sleep(for: grace)
                        } catch {
                            // The program ended within the grace period.
                            return
                        }
                        onTrouble(.killed(after: grace))
                        send(SIGKILL, to: execution, hasOwnGroup)
                    }
                case .kill: send(SIGKILL, to: execution, hasOwnGroup)
                }
            }
        }
        return relay.isEnding
    }

    private func send<Input, Output, Failure>(
        _ signal: Int32, to execution: Execution<Input, Output, Failure>, _ hasOwnGroup: Bool
    ) {
        do {
            try execution.send(signal: Signal(rawValue: signal), toProcessGroup: hasOwnGroup)
        } catch {
            guard error.underlyingError != .noSuchProcess else { return }
            let why =
                error.underlyingError.map { "\(SystemError(number: $0.rawValue))" } ?? "\(error)"
            onTrouble(.signalNotSent(signal, why: why))
        }
    }

    private func failure(_ error: SubprocessError) -> any Error {
        switch error.code {
        case .executableNotFound:
            // The file existed a moment ago, so its interpreter is missing.
            ProgramNotStarted(
                .notExecutable, program.name,
                "the interpreter named in its first line (#!) does not exist.")
        case .spawnFailed where error.underlyingError == .execFormatError:
            ProgramNotStarted(
                .notExecutable, program.name,
                "it is not a program for this system; a script needs a first line such as #!/bin/sh"
            )
        case .spawnFailed:
            ProgramNotStarted(
                .notExecutable, program.name,
                error.underlyingError.map { "\(SystemError(number: $0.rawValue))." } ?? "\(error)")
        default: error
        }
    }
}

/// The process group of a command, without processes that left it.
struct ProcessGroup {
    /// How often to check whether the processes have ended; the system notifies only a parent.
    private static let interval = Duration.milliseconds(20)

    let leader: pid_t

    /// Waits until all processes have ended; kills the remaining ones after a time, or at once if
    /// the task is cancelled.
    func end(within grace: Duration) async {
        let clock = ContinuousClock()
        let deadline = clock.now + grace
        while isThere, clock.now < deadline {
            do {
                try await clock.sleep(for: Self.interval)
            } catch {
                break
            }
        }
        // If no process is left, this has no effect.
        kill(-leader, SIGKILL)
    }

    private var isThere: Bool { kill(-leader, 0) == 0 }
}

private enum ControllingTerminal {
    /// Whether keys such as Ctrl-C signal this process's group.
    static var signalsOurGroup: Bool {
        do {
            return try OpenFile("/dev/tty", for: .reading)
                .withDescriptor { tcgetpgrp($0) == getpgrp() }
        } catch {
            return false
        }
    }
}
