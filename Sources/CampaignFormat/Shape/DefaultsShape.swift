extension MappingShape {
    /// What the config's `defaults` may say: the keys of a campaign without those that each campaign says itself.
    ///
    /// Nothing at the top of a section is required, since the campaign may have it.
    static let defaults = MappingShape(
        campaign.keys.filter { !$0.isCampaignsOwn }.map { key in
            guard case .mapping(let section) = key.value else { return key.shared(key.value) }
            let keys = section.keys.filter { !$0.isCampaignsOwn }.map { $0.shared($0.value) }
            return key.shared(.mapping(MappingShape(keys)))
        })
}

extension KeyShape {
    /// The same key where it is not required.
    fileprivate func shared(_ value: ValueShape) -> KeyShape {
        // An example of a section may have keys that only campaigns have.
        let isSection = if case .mapping = value { true } else { false }
        return KeyShape(
            name, title: title, value, examples: isSection ? [] : examples, kinds: kinds,
            isActedOn: isActedOn, summary)
    }
}
