extension RegistrationIndex {
    /// A page of the registrations that may be among a set of places, in the order of their places.
    ///
    /// A registration never changes its place, so a listing misses none that was there all the time.
    ///
    /// - Parameters:
    ///   - candidates: where to look; nil: everywhere.
    ///   - start: the first place of the page.
    ///   - limit: the most registrations, at least 1.
    ///   - isListed: which registrations count.
    /// - Returns: the page.
    func page(
        of candidates: Set<Int>?, from start: Int, limit: Int,
        where isListed: (Registration) -> Bool
    ) -> RegistrationPage {
        // Sorting a few places is cheap; of many, going through all places in order is cheaper.
        if let candidates, candidates.count < max(1_024, endPlace / 16) {
            return page(
                through: candidates.filter { $0 >= start }.sorted(), limit: limit, where: isListed)
        }
        guard start < endPlace else { return RegistrationPage(registrations: [], nextPlace: nil) }
        return page(through: start..<endPlace, limit: limit) { registration, place in
            candidates?.contains(place) != false && isListed(registration)
        }
    }

    private func page(
        through places: some Sequence<Int>, limit: Int, where isListed: (Registration) -> Bool
    ) -> RegistrationPage {
        page(through: places, limit: limit) { registration, _ in isListed(registration) }
    }

    private func page(
        through places: some Sequence<Int>, limit: Int,
        where isListed: (Registration, Int) -> Bool
    ) -> RegistrationPage {
        var found: [Registration] = []
        for place in places {
            guard let registration = self[place], isListed(registration, place) else { continue }
            // One more than fits shows that there is a next page, and where it begins.
            guard found.count < limit else {
                return RegistrationPage(registrations: found, nextPlace: place)
            }
            found.append(registration)
        }
        return RegistrationPage(registrations: found, nextPlace: nil)
    }
}
