/// The planets that can be seen.
public let planets = ["Jupiter", "Saturn"]
