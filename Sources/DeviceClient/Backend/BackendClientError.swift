public import Foundation

/// The error that every call of the client throws.
///
/// A failure on the device itself includes its cause.
public enum BackendClientError: Error, Hashable, Sendable {
    /// The address is not a valid backend address.
    case unusableOrigin(OriginFault)
    /// No user is signed in.
    case noCredential
    /// The name, password or token cannot be sent in a header.
    case credentialUnusable
    /// The backend refused the name, password or token (status 401).
    case credentialRefused
    /// The backend does not allow the user to do this (status 403).
    case forbidden
    /// The device's handle is empty or longer than 4,096 bytes.
    case unusableHandle
    /// A stored or received id is not valid in a URL.
    case unaddressable
    /// The notification expired, was revoked, or is for another user (status 404 or 410).
    case gone
    /// The backend sent a redirect, which the client does not follow.
    case redirected(status: Int)
    /// The backend returned an unexpected status.
    case status(Int, retryAfter: Duration?)
    /// The response is larger than the client accepts.
    case answerTooLong(limit: Int)
    /// The response does not follow the protocol.
    case answerUnreadable
    /// The backend did not respond in time.
    case timedOut
    /// The backend cannot be reached, or the connection was lost.
    case unreachable
    /// The task was cancelled; the request may have reached the backend.
    case cancelled
    /// The credential source failed.
    case credentialUnavailable(UnderlyingError)
    /// Data on the device cannot be read or changed.
    case storeUnavailable(UnderlyingError)
    /// The transport failed with its own error.
    case transportFailed(UnderlyingError)

    /// Whether a later retry may succeed.
    public var isPassing: Bool {
        switch self {
        case .timedOut, .unreachable: true
        case .status(let status, _): status == 408 || status == 429 || status >= 500
        default: false
        }
    }

    /// How long the backend asks the client to wait before the next attempt.
    public var retryAfter: Duration? {
        if case .status(_, let retryAfter) = self { retryAfter } else { nil }
    }

    /// The error of the credential source, the store or the transport, if one of them failed.
    public var underlyingError: (any Error)? {
        switch self {
        case .credentialUnavailable(let cause), .storeUnavailable(let cause),
            .transportFailed(let cause):
            cause.error
        default: nil
        }
    }
}

extension BackendClientError {
    /// Wraps an error from a part of the app in a case; leaves a `BackendClientError` unchanged.
    static func asking<Value>(
        _ failure: (UnderlyingError) -> Self, _ call: () async throws -> Value
    ) async throws(Self) -> Value {
        do {
            return try await call()
        } catch let error as Self {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw failure(UnderlyingError(error))
        }
    }
}

extension BackendClientError: CustomStringConvertible, LocalizedError {
    /// A sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .unusableOrigin(.incomplete):
            "The backend's address has no scheme or no host; write it like https://push.example."
        case .unusableOrigin(.insecure):
            "The backend's address is not https; plain http would expose passwords and is "
                + "allowed only for 127.0.0.1."
        case .unusableOrigin(.hasCredentials):
            "The backend's address contains a user or password; pass them as a credential."
        case .unusableOrigin(.hasPath):
            "The backend's address has a path or query; specify only the scheme, host and port."
        case .noCredential: "No user is signed in; sign in first."
        case .credentialUnusable:
            "The name, password or token cannot be sent: it is empty or too long, or contains a "
                + "character that is not allowed."
        case .credentialRefused: "The backend refused the sign-in; sign in again."
        case .forbidden:
            "The backend does not allow this user to do this; one of the tags may be forbidden."
        case .unusableHandle: "The device's handle is empty or too long."
        case .unaddressable: "The id is not valid in a URL; nothing was sent."
        case .gone:
            "The notification is no longer available: it expired, was revoked, or is for another "
                + "user."
        case .redirected(let status):
            "The backend sent a redirect (status \(status)), which is not followed; configure "
                + "its final address."
        case .status(let status, _): "The backend returned status \(status)."
        case .answerTooLong(let limit):
            "The backend's response is larger than the limit of \(limit) bytes."
        case .answerUnreadable: "The backend's response does not follow the protocol."
        case .timedOut: "The backend did not respond in time; try again later."
        case .unreachable: "The backend cannot be reached; try again later."
        case .cancelled: "The task was cancelled before the backend responded."
        case .credentialUnavailable:
            "The sign-in cannot be read on this device; unlock the device, or sign in again."
        case .storeUnavailable(let cause):
            (cause.error as? DeviceStoreError)?.description
                ?? "This device's notification data cannot be read or changed; free some space "
                + "and try again."
        case .transportFailed:
            "The connection to the backend failed; try again later."
        }
    }

    /// The same sentence as the description.
    public var errorDescription: String? { description }
}

/// The reason why an address is not a valid backend address.
public enum OriginFault: Hashable, Sendable {
    /// The address has no scheme or no host.
    case incomplete
    /// The address uses plain http, but is not an address of this device.
    case insecure
    /// The address contains a user or a password.
    case hasCredentials
    /// The address has a path, a query or a fragment.
    case hasPath
}

/// An error that a part of the app threw, as an equatable value.
///
/// Two values are equal if their errors have the same type and description.
public struct UnderlyingError: Hashable, Sendable {
    /// The error.
    public let error: any Error

    private var text: String { String(describing: error) }

    /// Wraps an error.
    public init(_ error: any Error) {
        self.error = error
    }

    /// Compares the type and the description.
    public static func == (one: UnderlyingError, other: UnderlyingError) -> Bool {
        type(of: one.error) == type(of: other.error) && one.text == other.text
    }

    /// Hashes the description.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}
