import CampaignCore

extension RunOverview {
    /// Encodes what stands in every object about a run, so that a key means the same everywhere.
    ///
    /// A value that is not there yet is null: a key that is sometimes missing is harder to use.
    func encodeShared(into object: inout KeyedEncodingContainer<RunKey>) throws {
        try object.encode(run.id.text, forKey: .run)
        try object.encode(run.campaign, forKey: .campaign)
        try object.encode(run.occurrence.text, forKey: .occurrence)
        try object.encode(run.state, forKey: .state)
        try object.encode(run.recipients, forKey: .recipients)
        try object.encode(run.deliveries, forKey: .deliveries)
        try object.encode(run.requests, forKey: .requests)
        try object.encode(JSONLine.object(outcomes), forKey: .outcomes)
        try object.encode(Timestamp.text(run.started), forKey: .started)
        try object.encode(run.finished.map(Timestamp.text), forKey: .finished)
    }
}
