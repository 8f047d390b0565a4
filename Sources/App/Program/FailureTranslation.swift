import AppBackend
import CampaignCore
import CampaignFormat
import Delivery
import DeviceClient
import DeviceSimulation
import Files
import HTTPServing
import LocalHub
import NotificationHubs
import ProcessControl
import Storage

/// Chooses exit codes and words for the errors of all modules.
enum FailureTranslation {
    /// Translates an error; an unforeseen one is a bug in hubsend.
    static func end(
        for error: any Error, masksPeople: Bool = Invocation.current().masksPeople
    ) -> CommandEnd {
        switch error {
        case let end as CommandEnd: end
        case StoreError.ownedByAnother(_, let owner), StoreError.rootInFolder(_, let owner),
            InputFileError.unprotected(_, .ownedByAnother(let owner, _), _),
            InputFileError.closed(_, let owner),
            SettingFault.unusableFile(_, setting: _, .ownedByAnother(let owner, _)):
            CommandEnd(
                .configuration, "\(error) The same command as \(owner):",
                details: "  \(Invocation.current().command(as: owner))\n")
        case is SettingFault, is TerminalFault, is RehearsalFault, is PlanFileFault,
            is StatusServerFault,
            is LocalHubError, is BackendError, is IdentityFault, is AuditError, is InputFileError,
            is AudienceFileFault, is ZoneNotKnown, is HubConfigurationError, is DueCallFault,
            is DuePathFault,
            is StoreElsewhere, is TooFewFiles:
            CommandEnd(.configuration, "\(error)")
        case let error as ProgramNotStarted:
            CommandEnd(ExitStatus(rawValue: error.reason.rawValue), "\(error)")
        case let fault as OperationFault:
            CommandEnd(status(of: fault), "\(fault)", details: fault.details)
        case is FindingsShown: CommandEnd(.faults)
        case is ConsentRefused: CommandEnd(.done)
        case let error as ErrorWithRemedy:
            CommandEnd(
                end(for: error.cause, masksPeople: masksPeople).status,
                "\(error.cause) \(error.remedy)")
        case let error as ReportNotWritten: end(for: error, masksPeople: masksPeople)
        case let failure as HubWithWork.HubFailure:
            CommandEnd(
                .tryAgain,
                "The hub failed, so the command was ended: "
                    + (failure.cause.map { end(for: $0, masksPeople: masksPeople).message }
                        ?? "it has stopped."))
        case let fault as LocalHubNameFault:
            CommandEnd(fault.isPassing ? .tryAgain : .configuration, "\(fault)")
        case let error as StoreError: CommandEnd(status(of: error), "\(error)")
        case let error as RunError: CommandEnd(status(of: error), "\(error)")
        case let error as StopError: CommandEnd(status(of: error), "\(error)")
        case let change as PlanChanged:
            CommandEnd(.faults, "\(change)", details: change.details)
        case let early as SentBeforeStart:
            CommandEnd(.configuration, "\(early)", details: early.details)
        case let fault as ReachFault: CommandEnd(status(of: fault.failure), "\(fault)")
        case let fault as TelemetryFault: CommandEnd(status(of: fault.failure), "\(fault)")
        case let error as BackendClientError: end(for: error)
        case let fault as DeviceFault:
            CommandEnd(fault.isPassing ? .tryAgain : .configuration, "\(fault)")
        case let faults as ConfigFaults:
            CommandEnd(
                .configuration, "the configuration is wrong, so nothing was done:",
                details: TextDiagnosticRenderer(
                    masksAudience: masksPeople, width: Console.errorColumns
                )
                .render(faults.findings.sorted()))
        case let fault as WorkFolder.Fault: CommandEnd(status(of: fault), "\(fault)")
        case let signal as SignalWatch.Interruption:
            CommandEnd(ExitStatus(signal.ending), "interrupted; nothing was sent")
        case is CancellationError: CommandEnd(.interrupted, "interrupted; nothing was sent")
        default:
            CommandEnd(
                .bug,
                "this is a bug in hubsend, please report it: an unforeseen \(type(of: error)): "
                    + Redaction.text("\(error)").prefix(500))
        }
    }

    private static func end(for error: ReportNotWritten, masksPeople: Bool) -> CommandEnd {
        let cause = end(for: error.cause, masksPeople: masksPeople)
        // 75 asks for the same command again.
        let status =
            cause.status == .tryAgain && !error.isMendedByRerun ? .configuration : cause.status
        return CommandEnd(status, "\(cause.message) \(error.remedy)")
    }

    /// Local failures, such as an unreadable secret, are reported as in other commands.
    private static func end(for error: BackendClientError) -> CommandEnd {
        if error == .cancelled { return end(for: CancellationError()) }
        if let cause = error.underlyingError { return end(for: cause) }
        return CommandEnd(status(of: error), "\(error)")
    }

    private static func status(of fault: OperationFault) -> ExitStatus {
        switch fault {
        case .locked, .personAtHub(_, why: _, isPassing: true), .personInUse, .noRoom,
            .beingStaged:
            .tryAgain
        case .unfinishedRunForAudience(let run, _, _) where !run.waitsForPerson: .tryAgain
        case .rekeyIncomplete(_, let rekeyed) where rekeyed.unreadable == 0: .tryAgain
        case .interrupted, .migrationInterrupted, .rekeyInterrupted: .interrupted
        default: .configuration
        }
    }

    private static func status(of error: StoreError) -> ExitStatus {
        switch error.disposition {
        case .configuration: .configuration
        case .tryAgain: .tryAgain
        case .bug: .bug
        }
    }

    private static func status(of error: RunError) -> ExitStatus {
        switch error {
        case .locked, .waits, .audienceChanged, .runIsGone, .restIsGone, .fallbackIsGone: .tryAgain
        case .stopped, .unfinished(_, campaign: _, state: .stopped, left: _): .stopped
        case .unfinished: .tryAgain
        case .noSuchRun, .notStaged, .otherHub: .configuration
        case .refused, .unrenderable, .otherPlan: .faults
        case .unaccounted: .bug
        }
    }

    private static func status(of failure: HubInquiryFailure) -> ExitStatus {
        switch failure {
        case .credentials: .credentials
        case .passing: .tryAgain
        case .misconfigured, .refused: .configuration
        case .cancelled: .interrupted
        }
    }

    private static func status(of fault: WorkFolder.Fault) -> ExitStatus {
        if case .unkeepable = fault { .tryAgain } else { .configuration }
    }

    private static func status(of error: StopError) -> ExitStatus {
        switch error {
        case .noSuchRun, .finished, .shown: .configuration
        case .timedOut: .tryAgain
        }
    }

    private static func status(of error: BackendClientError) -> ExitStatus {
        switch error {
        case .credentialRefused, .forbidden: .credentials
        case _ where error.isPassing: .tryAgain
        default: .configuration
        }
    }
}
