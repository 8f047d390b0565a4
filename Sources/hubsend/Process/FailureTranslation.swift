import AppBackend
import CampaignCore
import CampaignFormat
import Delivery
import DeviceClient
import DeviceSimulation
import LocalHub
import NotificationHubs
import ProcessControl
import Settings
import Storage

/// Chooses the exit code and the words for what the rooms throw.
enum FailureTranslation {
    /// Translates an error; one that nobody foresaw is a bug in hubsend.
    static func failure(for error: any Error) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: failure
        case let fault as SettingFault: CommandFailure(.configuration, "\(fault)")
        case let error as StoreError: CommandFailure(status(of: error), "\(error)")
        case let error as RunError: CommandFailure(status(of: error), "\(error)")
        case let error as StopError: CommandFailure(status(of: error), "\(error)")
        case let error as RehearsalFault: CommandFailure(.configuration, "\(error)")
        case let error as LocalHubError: CommandFailure(.configuration, "\(error)")
        case let error as BackendError: CommandFailure(.configuration, "\(error)")
        case let error as IdentityFault: CommandFailure(.configuration, "\(error)")
        case let error as AuditError: CommandFailure(.configuration, "\(error)")
        case let error as InputFileError: CommandFailure(.configuration, "\(error)")
        case let error as AudienceFileFault: CommandFailure(.configuration, "\(error)")
        case let error as HubConfigurationError: CommandFailure(.configuration, "\(error)")
        case let error as BackendClientError: CommandFailure(status(of: error), "\(error)")
        case let fault as DeviceFault:
            CommandFailure(fault.isPassing ? .tryAgain : .configuration, "\(fault)")
        case let faults as ConfigFaults:
            CommandFailure(
                .configuration, "the configuration is wrong, so nothing was done:",
                details: TextDiagnosticRenderer().render(faults.findings.sorted()))
        case let fault as WorkFolder.Fault: CommandFailure(status(of: fault), "\(fault)")
        case let signal as SignalWatch.Interruption:
            CommandFailure(ExitStatus(signal.ending), "interrupted; nothing was sent")
        case is CancellationError: CommandFailure(.interrupted, "interrupted; nothing was sent")
        default:
            CommandFailure(
                .bug, "this is a bug in hubsend, please report it: an unforeseen \(type(of: error))"
            )
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
        case .locked, .audienceChanged, .runIsGone, .restIsGone: .tryAgain
        case .stopped, .unfinished(_, campaign: _, state: .stopped, left: _): .stopped
        case .unfinished: .tryAgain
        case .noSuchRun, .notStaged, .otherHub: .configuration
        case .refused, .unrenderable: .faults
        case .unaccounted: .bug
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
