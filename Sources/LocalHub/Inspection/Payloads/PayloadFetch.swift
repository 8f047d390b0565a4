import HTTPTypes
import Hummingbird

/// A fetch of what a push names from the app backend; the hub keeps nothing of it.
struct PayloadFetch: Sendable {
    private let id: String
    private let backend: PayloadBackend
    private let seat: EventStreamSeats.Seat

    /// Prepares a fetch.
    ///
    /// - Parameters:
    ///   - id: what to fetch.
    ///   - backend: where from.
    ///   - environment: the seats.
    /// - Throws: a 503 when as much is under way as can be.
    init(
        _ id: String, from backend: PayloadBackend, _ environment: HubEnvironment
    ) throws(HubFailure) {
        seat = try environment.streams.take()
        self.id = id
        self.backend = backend
    }

    /// Fetches.
    ///
    /// - Returns: ``PayloadReport``, or with 404 or 502 why there is none.
    func response() async -> Response {
        do {
            let payload = try await backend.fetch(id)
            return try InspectionResponse.json(PayloadReport(id: id, payload: payload))
        } catch let failure as PayloadBackend.Failure {
            return HubFailure(
                status: failure.isGone ? .notFound : .badGateway, detail: failure.explanation
            ).response(as: .json)
        } catch let failure as HubFailure {
            return failure.response(as: .json)
        } catch {
            return HubFailure(
                status: .internalServerError, detail: "The answer could not be written as JSON."
            ).response(as: .json)
        }
    }
}
