package xlsx

// ShownNumber is a number in the format of its cell, for tests.
var ShownNumber = shownNumber
