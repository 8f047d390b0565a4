package import CampaignCore

/// All that is known of one run, to be shown.
package struct RunDetails: Hashable, Sendable {
    /// The run, its outcomes, its reach and its reasons.
    package var overview: RunOverview
    /// People to whom there was a try to push.
    package var tried: Int
    /// The outcomes on each platform, as the run lists them.
    package var platforms: [PlatformOutcomes]
    /// Outcomes over time; nil when nothing was sent yet.
    package var course: RunCourse?
    /// How far its waves are, by when they begin; empty where everybody's turn is at once.
    package var waves: [WaveStanding]

    package init(
        _ overview: RunOverview, tried: Int, platforms: [PlatformOutcomes], course: RunCourse?,
        waves: [WaveStanding] = []
    ) {
        self.overview = overview
        self.tried = tried
        self.platforms = platforms
        self.course = course
        self.waves = waves
    }
}
