import TestSupport
import Testing

extension ChildProcess {
    /// Waits until the process ends, and expects its exit code.
    @discardableResult
    func end(
        _ status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Result {
        let result = try await result()
        #expect(
            result.status == status, "\(result.output)\(result.complaints)",
            sourceLocation: sourceLocation)
        return result
    }
}
