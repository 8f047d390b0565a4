/// One request below `/.hubsend`, and what its answer is made of.
///
/// Each answer is a method in an extension, in a file of its own in `Answers`.
struct InspectionExchange {
    /// The request.
    let request: HubRequest
    /// The hub that is looked into.
    let hub: HubStore
    /// What all hubs share.
    let environment: HubEnvironment

    /// The query of the request.
    var query: InspectionQuery { InspectionQuery(parameters: request.target.query) }
}
