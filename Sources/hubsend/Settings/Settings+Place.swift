import Files
import NotificationHubs

/// What has to be sure about the store before anything is stored or sent: a second store would have everybody sent to twice.
extension Settings {
    /// Refuses a campaign from standard input, beside which no store can be, where nothing names one.
    ///
    /// - Throws: ``CommandFailure``.
    func requireStorePlace() throws {
        guard !storeChoice.isSettled, campaigns.contains(where: { $0.home == nil }) else { return }
        throw CommandFailure(
            .configuration,
            """
            A campaign from standard input has no folder beside which its store could be, so nothing is sent. Name a store \
            with --store or HUBSEND_STORE or a config with --config, or write a hubsend.yaml into the current folder.
            """)
    }

    /// Refuses to send to real people with a store that only the place of a campaign leads to, and to send a link whose file
    /// has another store.
    ///
    /// - Parameter connection: where pushes would go.
    /// - Throws: ``CommandFailure``.
    func requireStorePlace(for connection: HubConnection) throws {
        guard connection.isLoopback || storeChoice.isSettled else {
            throw CommandFailure(
                .configuration,
                """
                The hub at \(connection.connectionString.endpoint.host) is not on this machine, and neither a hubsend.yaml \
                nor a setting says where the store is that remembers who was sent what, so nothing is sent. Write a \
                hubsend.yaml beside the campaign or in a folder above it, such as `store: .hubsend/store.sqlite`, or name \
                a store with --store or HUBSEND_STORE.
                """)
        }
        for campaign in campaigns { try refuseOtherConfig(ofLink: campaign) }
    }

    /// A link and what it leads to are one campaign, and must not have two stores.
    private func refuseOtherConfig(ofLink campaign: CampaignPlace) throws {
        guard !isConfigNamed, !storeChoice.isNamed, let home = campaign.home,
            home != campaign.folder
        else { return }
        let configs = try [campaign.folder, home].map(ConfigPlace.nearest)
        guard configs[0] != configs[1] else { return }
        throw CommandFailure(
            .configuration,
            """
            The campaign \(campaign.path) is a link, and the file that it leads to has another config and so another store, \
            so nothing is sent. Name that file: \(Path.resolved(invocation.absolute(campaign.path)))
            """)
    }
}
