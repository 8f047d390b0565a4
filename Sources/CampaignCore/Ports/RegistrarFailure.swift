/// Why a device could not be registered at the hub; never with its handle.
package enum RegistrarFailure: Error, Hashable, Sendable {
    /// The id can no longer be used (410); a new one has to be asked for.
    case gone
    /// The hub, or the rules that it has, do not allow this handle, id or tag.
    case refused(String)
    /// The hub asks for patience.
    case busy(after: Duration?)
    /// The hub cannot be reached, or its answer was lost; the same again does no harm.
    case unavailable(String)
    /// The connection string lacks the right, or names no hub: only the operator can mend it.
    case misconfigured(String)
}
