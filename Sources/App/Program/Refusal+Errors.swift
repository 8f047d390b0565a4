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

// The exit codes for errors that other modules throw.

extension AudienceFileError: Refusal {}
extension AuditError: Refusal {}
extension BackendError: Refusal {}
extension HubConfigurationError: Refusal {}
extension IdentityError: Refusal {}
extension LocalHubError: Refusal {}
extension PlanFileError: Refusal {}
extension RehearsalError: Refusal {}
extension StatusServerError: Refusal {}
extension TooFewFiles: Refusal {}
extension ZoneNotKnown: Refusal {}

extension CancellationError: Refusal {
    var status: ExitStatus { .interrupted }
    var sentence: String { "interrupted; nothing was sent" }
}

extension SignalWatch.Interruption: Refusal {
    var status: ExitStatus { ExitStatus(ending) }
    var sentence: String { "interrupted; nothing was sent" }
}

extension InputFileError: Refusal {
    var owner: SystemUser? {
        switch self {
        case .unprotected(_, .ownedByAnother(let owner, _), _), .closed(_, let owner): owner
        default: nil
        }
    }
}

extension StoreError: Refusal {
    var status: ExitStatus {
        switch disposition {
        case .configuration: .configuration
        case .tryAgain: .tryAgain
        case .bug: .bug
        }
    }

    var owner: SystemUser? {
        switch self {
        case .ownedByAnother(_, let owner), .rootInFolder(_, let owner): owner
        default: nil
        }
    }
}

extension RunError: Refusal {
    var status: ExitStatus {
        switch self {
        case .locked, .waits, .audienceChanged, .runIsGone, .followUpIsOutdated, .fallbackIsGone:
            .tryAgain
        case .stopped, .unfinished(_, campaign: _, state: .stopped, left: _): .stopped
        case .unfinished: .tryAgain
        case .noSuchRun, .notStaged, .otherHub: .configuration
        case .refused, .unrenderable, .otherPlan: .findings
        case .unaccounted: .bug
        }
    }
}

extension StopError: Refusal {
    var status: ExitStatus {
        switch self {
        case .finished, .shown: .configuration
        case .timedOut: .tryAgain
        }
    }
}

extension ProgramNotStarted: Refusal {
    var status: ExitStatus { ExitStatus(rawValue: reason.rawValue) }
}

extension WorkFolder.Failure: Refusal {
    var status: ExitStatus { if case .unkeepable = self { .tryAgain } else { .configuration } }
}

extension DeviceError: Refusal {
    var status: ExitStatus { isPassing ? .tryAgain : .configuration }
}

extension HubWithWork.HubFailure: Refusal {
    var status: ExitStatus { .tryAgain }
    var sentence: String {
        "The hub failed, so hubsend stopped the command: "
            + (cause.map { Refused(for: $0).sentence } ?? "the hub has stopped.")
    }
}

extension BackendClientError: Refusal {
    /// Local errors, such as an unreadable secret, are reported as in other commands.
    private var cause: Refused? {
        (self == .cancelled ? CancellationError() : underlyingError).map { Refused(for: $0) }
    }

    var status: ExitStatus {
        if let cause { return cause.status }
        return switch self {
        case .credentialRefused, .forbidden: .credentials
        default: isPassing ? .tryAgain : .configuration
        }
    }

    var sentence: String { cause?.sentence ?? "\(self)" }
    var details: String { cause?.details ?? "" }
}

extension ExitStatus {
    init(_ failure: HubInquiryFailure) {
        self =
            switch failure {
            case .credentials: .credentials
            case .passing: .tryAgain
            case .misconfigured, .refused: .configuration
            case .cancelled: .interrupted
            }
    }
}
