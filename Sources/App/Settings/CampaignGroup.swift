import Files

/// Campaign files that share a config and a store.
struct CampaignGroup: Sendable {
    /// The config's path or, without a config, another name that is the same in every call.
    let name: String
    let paths: [String]
    let settings: Result<EffectiveSettings, any Error>
    /// The probable place of the store, determined without reading the config, which may have
    /// errors.
    let probableStore: StoreAddress?

    fileprivate enum Key: Hashable {
        case config(String)
        /// There is no config, but a flag or a variable names the store.
        case named
        /// Nothing names the store, so it is next to the campaigns; the folder is nil for standard
        /// input.
        case folder(String?)
        /// A file whose config cannot be determined, or a link to a file with another config.
        case alone(String)
    }

    /// Groups campaign files; invalid settings in one group do not affect the others.
    ///
    /// - Returns: the groups in the order of their first files.
    static func groups(
        of paths: [String], _ flags: SettingFlags, invocation: Invocation
    ) -> [CampaignGroup] {
        var order: [Key] = []
        var members: [Key: [String]] = [:]
        for path in paths {
            let key = key(of: path, flags, invocation)
            if members[key] == nil { order.append(key) }
            members[key, default: []].append(path)
        }
        return order.map { CampaignGroup(members[$0] ?? [], $0, flags, invocation) }
    }

    private init(
        _ paths: [String], _ key: Key, _ flags: SettingFlags, _ invocation: Invocation
    ) {
        self.paths = paths
        name =
            switch key {
            case .config(let path), .alone(let path): Path.cleaned(invocation.absolute(path))
            case .named: ""
            case .folder(let folder): folder ?? ""
            }
        settings = Result {
            try EffectiveSettings.load(flags, campaigns: paths, invocation: invocation)
        }
        // Without reading the config, the default place is assumed.
        let choice = Result {
            try StoreChoice(
                flags, config: key.config.map { ($0, nil) },
                campaigns: paths.map { CampaignLocation($0, invocation) }, invocation: invocation)
        }
        probableStore = if case .success(let choice) = choice { choice.store } else { nil }
    }

    private static func key(
        of path: String, _ flags: SettingFlags, _ invocation: Invocation
    ) -> Key {
        let place = CampaignLocation(path, invocation)
        let isConfigNamed = (flags.config ?? invocation["HUBSEND_CONFIG"]) != nil
        let isStoreNamed = (flags.store ?? invocation["HUBSEND_STORE"]) != nil
        do {
            if !isConfigNamed, !isStoreNamed, let home = place.home, home != place.folder,
                try ConfigLocation.nearest(from: home) != ConfigLocation.nearest(from: place.folder)
            {
                return .alone(path)
            }
            let config = try ConfigLocation.find(flags, for: [place], invocation: invocation)
            if let config { return .config(config.path) }
        } catch {
            return .alone(path)
        }
        return isStoreNamed ? .named : .folder(place.home)
    }
}

extension CampaignGroup.Key {
    fileprivate var config: String? { if case .config(let path) = self { path } else { nil } }
}
